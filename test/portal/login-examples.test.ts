import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { type LoginFacts, loginExample } from '../../portal/screens/api-access/login-examples.ts'

const facts: LoginFacts = {
  url: 'https://ferry.example',
  username: `Olive "$(id)" O'Reed`,
  email: 'olive@shop.example',
  organization: "Reed's `Lamps` & $HOME \\ Sons",
  clientId: 'sfc_1',
}

/** The words that a shell passes to a program. */
function wordsIn(script: string, program: string): string[] {
  const shown = `${program}() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${script}`
  const env = { ...process.env, STOREFERRY_CLIENT_SECRET: 'a-secret' }
  return execFileSync('sh', ['-c', shown], { encoding: 'utf8', env }).split('\0').slice(0, -1)
}

test('the line for curl sends the five values as they are, whatever quotes are in the names', () => {
  const [url, , , , body = ''] = wordsIn(loginExample('curl', facts), 'curl')
  expect(url).toBe('https://ferry.example/v2/login')
  expect(JSON.parse(body)).toEqual({
    username: facts.username,
    email: facts.email,
    organization_name: facts.organization,
    client_id: facts.clientId,
    client_secret: 'a-secret',
  })
})

test('the line for the command line passes the names as they are, and no secret', () => {
  const words = wordsIn(loginExample('storeferry', facts), 'storeferry')
  expect(words).toEqual([
    ...['login', '--username', facts.username, '--email', facts.email],
    ...['--organization', facts.organization, '--client-id', facts.clientId],
  ])
})

test('the lines for Node send the five values', async () => {
  const sent: { url: string; body: unknown }[] = []
  const fetch = async (url: string, { body }: { body: string }) => {
    sent.push({ url, body: JSON.parse(body) })
    return { json: async () => ({ access_token: 'a-token' }) }
  }
  const script = `${loginExample('node', facts)}\nreturn access_token`
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor
  const run = new AsyncFunction('fetch', 'process', script)
  expect(await run(fetch, { env: { STOREFERRY_CLIENT_SECRET: 'a-secret' } })).toBe('a-token')
  expect(sent).toMatchObject([
    {
      url: 'https://ferry.example/v2/login',
      body: { username: facts.username, organization_name: facts.organization, client_secret: 'a-secret' },
    },
  ])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { wordsOf } from './clear-words.ts'
import { type Ferry, startFerry } from './ferry.ts'

/** Read-only, except for a destination that each test has for itself. */
let ferry: Ferry
let words: ReturnType<typeof wordsOf>
beforeAll(async () => {
  ferry = await startFerry()
  words = wordsOf(ferry)
  expect((await ferry.signIn()).code).toBe(0)
})
afterAll(() => ferry?.stop())

test('a login with a wrong secret is refused in one line', async () => {
  const errors = await words.refused(ferry.signIn('not-the-secret'))
  expect(errors).toContain(
    'Check all five values; an administrator of the platform issues client_id and client_secret. (invalid_credentials)',
  )
  expect(errors).not.toContain('not-the-secret')
})

test('a migration of a store that is not connected, or of a store onto itself, is refused with the field and the remedy', async () => {
  const unknown = ferry.storeferry(['migrate', '--source', 'nobody', '--destination', 'destination'])
  expect(await words.refused(unknown)).toContain(
    'source: No store nobody is connected to your organisation; connect it',
  )
  const twice = ferry.storeferry(['migrate', '--source', 'source', '--destination', 'source'])
  expect(await words.refused(twice)).toContain('destination: Must not be the source; name another connected store.')
})

test('watch, issues and pause refuse a migration that does not exist', async () => {
  const id = '00000000-0000-4000-8000-000000000000'
  for (const command of ['watch', 'issues', 'pause'])
    expect(await words.refused(ferry.storeferry([command, id]))).toContain(`Your organisation has no migration ${id}`)
})

test('connecting a store with a wrong token or an unknown hash is refused with a message that names the store', async () => {
  const wrong = await words.refused(words.connect('source', { token: 'a-wrong-token' }))
  expect(wrong).toContain('Store source does not accept this API token. Copy the token of an API account of this store')
  expect(wrong).not.toContain('a-wrong-token')
  expect(await words.refused(words.connect('source', { hash: 'nosuchstore' }))).toContain(
    'The platform has no store nosuchstore.',
  )
})

test('S22: a read-only token pauses a run with a message that watch shows, and no secret is logged', async () => {
  await words.refused(ferry.signIn('not-the-secret'))
  await words.refused(words.connect('source', { token: 'a-wrong-token' }))
  const id = await words.migrate('readonly', { entities: ['categories', 'brands', 'products'] })
  const watched = await ferry.storeferry(['watch', id])
  expect(watched).toMatchObject({ code: 2, errors: '' })
  expect(watched.output).toContain(
    'The API token of the destination store readonly lacks the scope store_v2_products. Give',
  )
  expect(await words.failureOf(id)).toMatchObject({
    code: 'missing_scope',
    message: expect.stringContaining('readonly'),
  })
  const { body } = await ferry.api<{ items: unknown[] }>('GET', `/v2/migrations/${id}/issues?severity=failure`)
  expect(body.items).toEqual([])
  const written = ferry.written()
  expect(written).toContain('"role":"run"')
  const secrets = { ...ferry.secrets, wrongSecret: 'not-the-secret', wrongToken: 'a-wrong-token' }
  const leaked = Object.entries(secrets).filter(([, secret]) => written.includes(secret))
  expect(leaked.map(([what]) => what)).toEqual([])
})

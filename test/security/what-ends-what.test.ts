import { readFile, writeFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { disableCredential, issueCredential, rotateCredential } from '../../src/accounts/api-credentials.ts'
import { createMailer } from '../../src/accounts/mailer.ts'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { totpCode, totpStepAt } from '../../src/accounts/totp.ts'
import { enableStoreMigration } from '../../src/operations/administration/enable-store-migration.ts'
import { removeStoreMigration } from '../../src/operations/administration/remove-store-migration.ts'
import { perform } from '../../src/operations/shared/perform.ts'
import {
  aBrowser,
  anOrganisation,
  aPerson,
  aService,
  aSession,
  type Browser,
  type Organisation,
  password,
  type Service,
  submit,
} from '../api/a-service.ts'
import { fromBase32 } from '../harness/base32.ts'
import { postMessage } from '../mcp/a-connection.ts'
import { connect, refresh, type Tokens } from '../oauth/an-assistant.ts'

const anonymous = { userId: null }

let service: Service
let passwordHash: string
let administrator: Browser
beforeAll(async () => {
  service = await aService()
  passwordHash = await hashPassword(password)
  administrator = aBrowser(service, await aSession(service, (await aPerson(service, { administrator: true })).userId))
})
afterAll(() => service.close())

/** What a member of an organisation holds, before and after something is done. */
interface Holder {
  organisation: Organisation
  owner: Browser
  userId: string
  email: string
  /** The browser in which the member acts, and another one. */
  here: Browser
  elsewhere: Browser
  assistant: Awaited<ReturnType<typeof connect>>['assistant']
  tokens: Tokens
  bearerToken: string
  /** Of the last link, for an invitation or a new password. */
  linkToken: string
  requestId: string
}

async function aHolder({ isInvited = false } = {}): Promise<Holder> {
  const organisation = await anOrganisation(service)
  const owner = aBrowser(service, await organisation.cookie())
  const email = `mary.${crypto.randomUUID()}@shop.example`
  const path = `/admin/api/organisations/${organisation.id}/members`
  const { member, invitation } = (await administrator.send('POST', path, { ...person, email, role: 'operator' })).json()
  const { userId } = member
  let link: string = invitation.link
  if (!isInvited) {
    await sql`update users set password_hash = ${passwordHash} where id = ${userId}`.execute(service.deps.database)
    link = (await owner.send('POST', `/v2/members/${userId}/reset-link`)).json().link
  }
  const claims = { userId, organisationId: organisation.id, secretVersion: 1, generation: 0 }
  const { token: bearerToken } = await service.deps.bearerTokens.issue(claims)
  const { assistant, tokens } = await connect(service, userId)
  const [here, elsewhere] = [await aSession(service, userId), await aSession(service, userId)]
  const created = await service.inject({
    method: 'POST',
    url: '/v2/migrations',
    headers: { authorization: `Bearer ${bearerToken}` },
    payload: { source: 'store1', destination: 'store2' },
  })
  return {
    ...{ organisation, owner, userId, email, assistant, tokens, bearerToken, linkToken: link.split('#')[1] ?? '' },
    ...{ here: aBrowser(service, here), elsewhere: aBrowser(service, elsewhere) },
    requestId: created.json().requestId,
  }
}

/** How each of them is afterwards, in the words of the table. */
interface Ended {
  sessions: string
  bearerTokens: string
  assistants: string
  links: string
  migrations: string
}

async function lookAt(holder: Holder): Promise<Ended> {
  return {
    sessions: await sessionsOf(holder),
    bearerTokens: (await service.get('/v2/stores', holder.bearerToken)).statusCode === 200 ? 'stay' : 'end',
    assistants: await assistantsOf(holder),
    links: (await isLinkAlive(holder)) ? 'stay' : 'end',
    migrations: await migrationsOf(holder),
  }
}

interface Membership {
  id: string
  storeMigrationEnabled: boolean
}

async function sessionsOf({ organisation, here, elsewhere }: Holder): Promise<string> {
  const stateOf = async (browser: Browser) => {
    if ((await browser.get('/v2/session')).statusCode !== 200) return 'end'
    const { organizations } = (await browser.get('/v2/session')).json()
    const isIn = organizations.some((one: Membership) => one.id === organisation.id && one.storeMigrationEnabled)
    return isIn ? 'stay' : 'end for the organisation'
  }
  const [one, other] = [await stateOf(here), await stateOf(elsewhere)]
  if (one === other) return one
  return one === 'stay' ? 'others end' : 'this one ends'
}

async function assistantsOf({ tokens }: Holder): Promise<string> {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  return (await postMessage(service, tokens.access_token, ping)).statusCode === 200 ? 'stay' : 'end'
}

async function isRefreshed({ assistant, tokens }: Holder): Promise<boolean> {
  return (await refresh(service, assistant, tokens.refresh_token)).statusCode === 200
}

/** Looked up, because trying it would use it up. */
async function isLinkAlive({ linkToken }: Holder): Promise<boolean> {
  const { rows } = await sql`
    select 1 from one_time_links where token_hash = sha256(convert_to(${linkToken}, 'UTF8'))`.execute(
    service.deps.database,
  )
  return rows.length === 1
}

async function migrationsOf({ requestId }: Holder): Promise<string> {
  const { rows } = await sql<{ status: string }>`select status from runs where id = ${requestId}`.execute(
    service.deps.database,
  )
  return rows[0]?.status === 'queued' ? 'go on' : 'are canceled'
}

interface Deed {
  what: string
  isInvited?: boolean
  act(holder: Holder): Promise<{ statusCode: number } | object | undefined>
}

const otherOrganisation = async () => (await anOrganisation(service)).id
const at = ({ userId }: Holder) => `/v2/members/${userId}`
const person = { firstName: 'Mary', lastName: 'Shelley' }

async function joinBy(owner: Browser, { email }: Holder) {
  const { invitation } = (await owner.send('POST', '/v2/members', { ...person, email, role: 'operator' })).json()
  return submit(service, '/app/invitation', { token: invitation.link.split('#')[1], password })
}

async function removeAndAdd(holder: Holder) {
  await holder.owner.send('DELETE', at(holder))
  return joinBy(holder.owner, holder)
}

async function removeAndEnable({ organisation: { id } }: Holder) {
  await perform(removeStoreMigration, { organisation: id }, anonymous, service.deps)
  await perform(enableStoreMigration, { organisation: id }, anonymous, service.deps)
  // With it, every token would end anyway.
  return issueCredential(id, anonymous, service.deps)
}

/** Of an authenticator app that was given the secret. */
function codeOf(secret: string): string {
  return totpCode(fromBase32(secret), totpStepAt(service.clock.now()))
}

/** Everything that could end something, in the order of the table. */
const deeds: Deed[] = [
  { what: 'Signing out', act: ({ here }) => here.send('DELETE', '/v2/session') },
  { what: 'Signing out everywhere', act: ({ here }) => here.send('DELETE', '/v2/sessions') },
  {
    what: 'Ending another session in the profile',
    async act({ here, elsewhere }) {
      const { items } = (await elsewhere.get('/v2/sessions')).json()
      const { id } = items.find(({ current }: { current: boolean }) => current)
      return here.send('DELETE', `/v2/sessions/${id}`)
    },
  },
  {
    what: 'Changing the password',
    act: ({ here }) =>
      here.send('POST', '/v2/session/password', { currentPassword: password, newPassword: 'another password' }),
  },
  {
    what: 'Requesting a link to a new password by mail',
    async act({ email }) {
      // Nothing listens there: the link is made all the same.
      const mailer = createMailer({ ...service.deps, smtpUrl: 'smtp://127.0.0.1:9', from: 'storeferry@shop.example' })
      service.deps.mailer = mailer
      const answer = await submit(service, '/app/forgot', { email })
      await mailer.close()
      service.deps.mailer = undefined
      return answer
    },
  },
  {
    what: 'Choosing a new password with a link',
    act: ({ linkToken }) => submit(service, '/app/reset', { token: linkToken, password: 'another password' }),
  },
  {
    what: 'Accepting an invitation, which sets the first password',
    isInvited: true,
    act: ({ linkToken }) => submit(service, '/app/invitation', { token: linkToken, password }),
  },
  {
    what: 'Accepting an invitation of a second organisation with the password they have',
    act: async (holder) => joinBy(aBrowser(service, await (await anOrganisation(service)).cookie()), holder),
  },
  {
    what: 'Making a new link for the same person',
    act: (holder) => holder.owner.send('POST', `${at(holder)}/reset-link`),
  },
  {
    what: 'Turning the second step on',
    async act({ here }) {
      const { secret } = (await here.send('POST', '/v2/session/second-step', { currentPassword: password })).json()
      return here.send('POST', '/v2/session/second-step/confirm', { code: codeOf(secret) })
    },
  },
  {
    what: 'Turning the second step of a person off, by an administrator',
    async act({ here, email }) {
      const { secret } = (await here.send('POST', '/v2/session/second-step', { currentPassword: password })).json()
      await here.send('POST', '/v2/session/second-step/confirm', { code: codeOf(secret) })
      return administrator.send('POST', '/admin/api/second-step-removals', { email })
    },
  },
  { what: 'Changing one’s name', act: ({ here }) => here.send('PATCH', '/v2/session', { ...person, firstName: 'M.' }) },
  { what: 'Changing a role', act: (holder) => holder.owner.send('PATCH', at(holder), { role: 'viewer' }) },
  {
    what: 'Being made a member of a second organisation by an administrator',
    async act({ email }) {
      const path = `/admin/api/organisations/${await otherOrganisation()}/members`
      return administrator.send('POST', path, { ...person, email, role: 'viewer' })
    },
  },
  { what: 'Removing a member', act: (holder) => holder.owner.send('DELETE', at(holder)) },
  { what: 'Removing a member, who is invited again and accepts', act: removeAndAdd },
  {
    what: 'Ending a bearer token',
    async act({ here }) {
      const [{ id }] = (await here.get('/v2/tokens')).json().items
      return here.send('DELETE', `/v2/tokens/${id}`)
    },
  },
  {
    what: 'Disconnecting an assistant',
    async act({ here }) {
      const [{ id }] = (await here.get('/v2/assistants')).json().items
      return here.send('DELETE', `/v2/assistants/${id}`)
    },
  },
  {
    what: 'Rotating the API credential',
    act: ({ organisation: { id } }) => rotateCredential(id, anonymous, service.deps),
  },
  {
    what: 'Disabling the API credential',
    act: ({ organisation: { id } }) => disableCredential(id, anonymous, service.deps),
  },
  {
    what: 'Disabling it and issuing it again',
    async act({ organisation: { id } }) {
      await disableCredential(id, anonymous, service.deps)
      return issueCredential(id, anonymous, service.deps)
    },
  },
  {
    what: 'Removing an organisation from Store Migration',
    act: ({ organisation: { id } }) => perform(removeStoreMigration, { organisation: id }, anonymous, service.deps),
  },
  { what: 'Removing it and enabling it again', act: removeAndEnable },
]

const committed = new URL('../../docs/accounts.md', import.meta.url)
const [begin, end] = [
  '<!-- what ends what: `UPDATE_DOCS=1 npm test -- test/security/what-ends-what.test.ts` -->',
  '<!-- end -->',
]
const headings = [
  'What happens',
  'Portal sessions',
  'Bearer tokens',
  'Assistants',
  'Links to a password',
  'Migrations they started',
]

function tableOf(rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [begin, line(headings), line(headings.map(() => '---')), ...rows.map(line), end].join('\n')
}

test('S14, S31: what ends what is as docs/accounts.md says, and being let in again revives nothing', async () => {
  const rows: string[][] = []
  for (const { what, isInvited = false, act } of deeds) {
    const holder = await aHolder({ isInvited })
    expect(await lookAt(holder), what).toEqual(untouched)
    // A grant of the very moment in which the password changes does not count as older.
    service.clock.jumpSeconds(1)
    const answer = await act(holder)
    if (answer && 'statusCode' in answer) expect([what, answer.statusCode]).toEqual([what, expect.toBeOneOf(done)])
    const { sessions, bearerTokens, assistants, links, migrations } = await lookAt(holder)
    expect([what, await isRefreshed(holder)]).toEqual([what, assistants === 'stay'])
    rows.push([what, sessions, bearerTokens, assistants, links, migrations])
  }
  const document = await readFile(committed, 'utf8')
  const [before = '', after = ''] = [document.split(begin)[0], document.split(end)[1]]
  const said = `${before}${tableOf(rows)}${after}`
  if (process.env.UPDATE_DOCS) await writeFile(committed, said)
  expect(await readFile(committed, 'utf8')).toBe(said)
}, 180_000)

const done = [200, 201, 204, 303]
const untouched: Ended = {
  sessions: 'stay',
  bearerTokens: 'stay',
  assistants: 'stay',
  links: 'stay',
  migrations: 'go on',
}

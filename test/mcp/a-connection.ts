import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Role } from '../../src/contract/accounts/permissions.ts'
import { saveConnection } from '../../src/db/oauth/oauth-connections.ts'
import { saveRecord } from '../../src/db/oauth/oauth-records.ts'
import { type Organisation, type Service, siteUrl } from '../api/a-service.ts'

const hour = 3_600_000

export interface GivenToken {
  token: string
  grantId: string
  clientId: string
  userId: string
}

/** An access token as the authorisation server keeps one after an Allow: client, grant, connection, token. */
export async function anAccessToken(
  { deps }: Pick<Service, 'deps'>,
  organisation: Pick<Organisation, 'id' | 'userId'>,
  { role = 'owner' as Role, audience = siteUrl, scope = 'mcp:read' } = {},
): Promise<GivenToken> {
  const { database, clock } = deps
  const userId = role === 'owner' ? organisation.userId : await aMemberWith(deps, organisation.id, role)
  const [token = '', grantId = '', suffix = ''] = [1, 2, 3].map(() => randomBytes(32).toString('base64url'))
  const clientId = `sfm_${suffix}`
  const at = clock.now()
  const inAnHour = new Date(at.getTime() + hour)
  const save = (model: string, id: string, payload: Record<string, unknown>, expiresAt: Date | null) =>
    saveRecord(database, { model, id, payload, expiresAt, at })
  await save('Client', clientId, { client_id: clientId, client_name: 'A test' }, null)
  await save('Grant', grantId, { accountId: userId, clientId, resources: { [siteUrl]: scope } }, inAnHour)
  const granted = { kind: 'AccessToken', accountId: userId, clientId, grantId, scope, aud: audience }
  await save('AccessToken', token, granted, inAnHour)
  const connection = { grantId, organisationId: organisation.id, userId, clientId, connectedAt: at, generation: 0 }
  await saveConnection(database, { ...connection, clientName: 'A test', redirectHost: 'localhost' })
  return { token, grantId, clientId, userId }
}

async function aMemberWith({ database }: Service['deps'], organisationId: string, role: Role): Promise<string> {
  const id = crypto.randomUUID()
  const email = `${id}@example.com`
  await sql`
    insert into users (id, first_name, last_name, email, email_key, password_hash)
    values (${id}, 'Grace', 'Hopper', ${email}, ${email}, 'none')`.execute(database)
  await sql`insert into memberships (organisation_id, user_id, role) values (${organisationId}, ${id}, ${role})`.execute(
    database,
  )
  return id
}

/** One message to `/mcp` in the way of the older revisions, as a simple script would send it. */
export function postMessage(service: Pick<Service, 'inject'>, token: string | undefined, body: unknown, headers = {}) {
  return service.inject({
    method: 'POST',
    url: '/mcp',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

export interface ToolAnswer {
  isError?: boolean
  structuredContent?: Record<string, unknown>
  content: { type: string; text: string }[]
}

export async function callTool(
  service: Pick<Service, 'inject'>,
  token: string,
  name: string,
  given: object = {},
): Promise<ToolAnswer> {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
  const answer = await postMessage(service, token, call)
  if (answer.statusCode !== 200 || !answer.json().result)
    throw new Error(`${name} answered ${answer.statusCode} ${answer.body}`)
  return answer.json().result
}

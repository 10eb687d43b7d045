import { z } from 'zod'
import { getCredentialStatus } from '../../operations/credentials/get-credential-status.ts'
import { explainMigrations } from '../../operations/reports/explain-migrations.ts'
import { describeCaller } from '../../operations/sessions/describe-caller.ts'
import { count, maybe, text } from '../shapes.ts'
import { defineTool } from '../tool.ts'

export const whoami = defineTool({
  name: 'whoami',
  title: 'Who am I',
  about:
    'The signed-in user, organisation, role and permissions, and when the access token expires. Use it first, or when another tool answers forbidden.',
  input: z.strictObject({}),
  output: z.strictObject({
    user: z.strictObject({ id: text, untrusted_name: text }),
    organisation: z.strictObject({ id: text, untrusted_name: text, store_migration_enabled: z.boolean() }),
    role: text,
    permissions: z.array(text),
    scope: text,
    token_expires_at: text,
  }),
  async answer(_, { read, caller }) {
    const { user, organisation, role, permissions } = await read(describeCaller, {})
    const { id, name, storeMigrationEnabled } = organisation
    return {
      user: { id: user.id, untrusted_name: user.name },
      organisation: { id, untrusted_name: name, storeMigrationEnabled },
      role,
      permissions,
      scope: caller.scope,
      tokenExpiresAt: caller.expiresAt,
    }
  },
})

export const getApiCredentialStatus = defineTool({
  name: 'get_api_credential_status',
  title: 'API credential status',
  about:
    "Id, last four characters, version, state and last change of the organisation's API credential; never the secret. Owners only.",
  input: z.strictObject({}),
  output: z.strictObject({
    issued: z.boolean(),
    client_id: maybe,
    last_four: maybe,
    version: count.optional(),
    state: maybe,
    changed_at: maybe,
  }),
  async answer(_, { read }) {
    const { credential } = await read(getCredentialStatus, {})
    if (!credential) return { issued: false }
    const { clientId, lastFour, version, state, changedAt } = credential
    return { issued: true, clientId, lastFour, version, state, changedAt }
  },
})

export const getMigrationReference = defineTool({
  name: 'get_migration_reference',
  title: 'Migration reference',
  about:
    'Meaning of modes, strategies, statuses; phases with components and order; remedies of issue codes. Without topic: the first three.',
  input: z.strictObject({ topic: z.enum(['modes', 'strategies', 'statuses', 'phases', 'issue_codes']).optional() }),
  output: z.strictObject({
    terms: z.array(
      z.strictObject({
        topic: text,
        key: text,
        meaning: maybe,
        remedy: maybe,
        components: z.array(text).optional(),
        after: z.array(text).optional(),
      }),
    ),
  }),
  async answer({ topic }, { read }) {
    const { topics } = await read(explainMigrations, { topic })
    const long = ['phases', 'issue_codes']
    const said = Object.entries(topics).filter(([name]) => topic !== undefined || !long.includes(name))
    return { terms: said.flatMap(([name, terms = []]) => terms.map((term) => ({ topic: name, ...term }))) }
  },
})

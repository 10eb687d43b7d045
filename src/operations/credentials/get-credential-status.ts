import { z } from 'zod'
import { findApiCredential } from '../../db/accounts/api-credentials.ts'
import { defineOperation } from '../shared/operation.ts'

export const getCredentialStatus = defineOperation({
  name: 'get-credential-status',
  summary: "The organisation's API credential, without its secret.",
  input: z.strictObject({}),
  output: z.strictObject({
    credential: z
      .strictObject({
        clientId: z.string(),
        lastFour: z.string(),
        version: z.int(),
        state: z.enum(['enabled', 'disabled']),
        changedAt: z.iso.datetime(),
        issuedAt: z.iso.datetime().nullable().describe('When the present secret was made.'),
        issuedBy: z.string().nullable().describe('Name of the administrator; null for the command line.'),
      })
      .nullable(),
  }),
  async run(_, { organisationId }, { database }) {
    const found = await findApiCredential(database, organisationId)
    if (!found) return { credential: null }
    const { clientId, lastFour, version, enabled, updatedAt, issuedAt, issuedBy } = found
    const state = enabled ? ('enabled' as const) : ('disabled' as const)
    const changes = { changedAt: updatedAt.toISOString(), issuedAt: issuedAt?.toISOString() ?? null, issuedBy }
    return { credential: { clientId, lastFour, version, state, ...changes } }
  },
})

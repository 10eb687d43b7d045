import { z } from 'zod'
import { storeHash } from './stores.ts'
import { text } from './text.ts'

/** What the platform's own staff asks for. Organisations are named as registered; upper and lower case are the same. */
const organisation = text.describe('Name of the organisation.')

/** Source: OWASP ASVS 5.0, 6.2.1 and 6.2.9: at least 8 characters, at least 64 permitted, no rules on which. */
export const password = z
  .string()
  .min(12, 'Must have at least 12 characters.')
  .max(128, 'Must have at most 128 characters.')

const person = {
  firstName: text,
  lastName: text,
  email: z.email('Must be an e-mail address.').max(254),
}

export const createAdministratorInput = z.strictObject({ ...person, password })
export const createAdministratorOutput = z.object({ userId: z.string(), email: z.string() })

export const claimFirstAdministratorInput = z.strictObject({
  ...person,
  password,
  token: z.string().regex(/^[\w-]{43}$/, 'Must be the token of the link as it was printed.'),
})

export const createOrganisationInput = z.strictObject({ name: text, owner: z.strictObject({ ...person, password }) })
export const createOrganisationOutput = z.object({ organisationId: z.string(), name: z.string(), ownerId: z.string() })

export const organisationInput = z.strictObject({ organisation })
export const organisationOutput = z.object({ organisationId: z.string(), name: z.string() })

export const connectStoreInput = z.strictObject({
  organisation,
  hash: storeHash,
  token: z.string().regex(/^[\x21-\x7e]{1,255}$/, 'Must be the API token as the platform shows it.'),
  label: text.optional().describe("Left out: the shop's own name."),
})
export const connectStoreOutput = z.object({
  hash: z.string(),
  label: z.string(),
  missingScopes: z.array(z.string()),
})

export const issuedCredentialOutput = z.object({
  clientId: z.string(),
  clientSecret: z.string().describe('Shown this once.'),
  version: z.number().int(),
})
export const disabledCredentialOutput = z.object({ clientId: z.string(), version: z.number().int() })

export const organisationListOutput = z.object({
  items: z.array(
    z.object({
      organisationId: z.string(),
      name: z.string(),
      createdAt: z.iso.datetime(),
      storeMigrationEnabled: z.boolean(),
      stores: z.number().int(),
      credential: z
        .object({
          clientId: z.string(),
          lastFour: z.string(),
          version: z.number().int(),
          state: z.enum(['enabled', 'disabled']),
        })
        .nullable(),
    }),
  ),
})

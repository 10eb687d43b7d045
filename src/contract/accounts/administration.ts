import { z } from 'zod'
import { historyEntry, historyFilters, historyOrder, person as knownPerson } from '../history.ts'
import { migrationDetail, storeRef, tiers } from '../migration.ts'
import { migrationRequest, waitingReason } from '../migration-request.ts'
import { modes } from '../modes.ts'
import { pageInput, pageOf } from '../primitives/list-page.ts'
import { moment } from '../primitives/moment.ts'
import { name, text, visibleText } from '../primitives/text.ts'
import { aboutStore, storeHash, storeList } from '../stores.ts'
import { auditActions } from './audit-actions.ts'

/** Requests and responses of platform administrators. Organisation names are case-insensitive. */
const organisation = text.describe('Name or id of the organisation.')

/**
 * Source: OWASP ASVS 5.0, 6.2.1 and 6.2.9: at least 8 characters, at least 64 allowed, no rules about kinds of
 * characters.
 */
export const password = z
  .string()
  .min(12, 'Must have at least 12 characters.')
  .max(128, 'Must have at most 128 characters.')

export const person = {
  firstName: name,
  lastName: name,
  email: z.email('Must be an email address.').max(254),
}

/** The link is shown only here. */
export const invitation = z.object({
  link: z
    .string()
    .describe(
      'Works once, for 7 days. The person who opens it chooses the password, unless they have one already, so hand it over like one.',
    ),
  expiresAt: z.iso.datetime(),
})

const invitedWithout = 'If omitted, the answer contains an invitation.'

export const createAdministratorInput = z.strictObject({
  ...person,
  password: password.optional().describe(invitedWithout),
})
export const administratorOutput = z.object({ userId: z.string(), email: z.string() })
export const createAdministratorOutput = administratorOutput.extend({
  invitation: invitation.nullable().describe('Null when a password was given.'),
})
export const administratorList = z.object({
  items: z.array(
    z.strictObject({
      userId: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      email: z.string(),
      createdAt: z.iso.datetime(),
      invited: z.boolean().describe('Whether this administrator has not chosen a password yet.'),
    }),
  ),
})

export const linkToken = z.string().regex(/^[\w-]{43}$/, 'Must be the token from the link, unchanged.')

export const claimFirstAdministratorInput = z.strictObject({
  ...person,
  password,
  token: linkToken,
})

export const createOrganisationInput = z.strictObject({
  name,
  owner: z.strictObject({
    ...person,
    password: password.optional().describe(invitedWithout),
  }),
})
export const createOrganisationOutput = z.object({
  organisationId: z.string(),
  name: z.string(),
  ownerId: z.string(),
  invitation: invitation.nullable().describe('Null when the owner already has a password.'),
})

export const organisationInput = z.strictObject({ organisation })
export const organisationOutput = z.object({ organisationId: z.string(), name: z.string() })

const connection = {
  hash: storeHash,
  token: z.string().regex(/^[\x21-\x7e]{1,255}$/, 'Must be the API token, exactly as the platform shows it.'),
  label: visibleText.optional().describe("Default: the label that the store had before, or the shop's own name."),
}
export const addStoreInput = z.strictObject(connection)
export const connectStoreInput = z.strictObject({ organisation, ...connection })
export const connectStoreOutput = z.object({
  hash: z.string(),
  label: z.string(),
  missingScopes: z.array(z.string()).describe('Scopes for a copy of everything that the token lacks.'),
  about: aboutStore,
})

export const issuedCredentialOutput = z.object({
  clientId: z.string(),
  clientSecret: z.string().describe('Shown only once.'),
  version: z.number().int(),
})
export const disabledCredentialOutput = z.object({ clientId: z.string(), version: z.number().int() })

export const listOrganisationsInput = z.strictObject({
  text: z.string().max(255).optional().describe('Part of the name.'),
  storeMigration: z
    .enum(['enabled', 'disabled'])
    .optional()
    .describe('Whether the organisation may use Store Migration.'),
  ...pageInput,
})
const organisationEntry = z.strictObject({
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
})
export type OrganisationEntry = z.infer<typeof organisationEntry>
export const organisationListOutput = pageOf(organisationEntry)
export const organisationDetail = organisationEntry.extend({ connected: storeList.shape.items })
export const memberList = {
  text: z.string().max(255).optional().describe('Part of the name or the email address.'),
  ...pageInput,
}
export const organisationMembersInput = z.strictObject({ organisation, ...memberList })

export const removedOutput = organisationOutput.extend({
  cancelled: z
    .number()
    .int()
    .describe('Migrations canceled: queued ones at once, running ones after their current item.'),
})

export const auditFilters = {
  action: z.enum(auditActions).optional(),
  from: moment.optional(),
  before: moment.optional(),
  ...pageInput,
}
/** For logs of several people's actions. */
export const auditOfUser = { user: z.uuid().optional().describe('Id of the person who did it.') }
const auditPerson = z.strictObject({ id: z.string(), name: z.string(), email: z.string() })
export const auditPeople = z.strictObject({ items: z.array(auditPerson) })
export const auditPage = pageOf(
  z.strictObject({
    id: z.string(),
    at: z.iso.datetime(),
    action: z.string(),
    actor: z
      .enum(['user', 'administrator', 'command line', 'visitor'])
      .describe('`visitor`: someone who was not signed in; `user` is the person they named, if there is one.'),
    user: auditPerson.nullable(),
    organisation: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
    details: z
      .record(z.string(), z.unknown())
      .describe('Ids, names and counts; of a failed sign-in also its address and the reason.'),
  }),
)

const namedOrganisation = z.strictObject({ id: z.string(), name: z.string() })
export const allMigrationsInput = z.strictObject({
  organisation: z.string().max(255).optional().describe('Name or id.'),
  ...historyFilters,
  ...historyOrder,
  ...pageInput,
})
export const allMigrationsPage = pageOf(
  historyEntry.omit({ createdBy: true }).extend({ organisation: namedOrganisation }),
)

const { label, asked, waiting, queue, failure } = migrationRequest.shape
/** One migration of any organisation, without its items and without what was picked (S18). */
export const anyMigration = z.strictObject({
  organisation: namedOrganisation,
  label,
  createdBy: knownPerson.nullable(),
  asked,
  waiting,
  queue,
  failure,
  migration: migrationDetail,
})

const runsByTier = z.array(z.strictObject({ tier: z.enum(tiers), runs: z.number().int() }))
export const capacityOutput = z.strictObject({
  hosts: z.array(
    z.strictObject({
      name: z.string(),
      lastSeenAt: z.iso.datetime(),
      maxRuns: z.number().int(),
      memoryMiB: z.number().int(),
      runs: z.number().int(),
      runMemoryMiB: z.number().int().describe('Memory of all its runs together, by their tiers.'),
    }),
  ),
  queued: runsByTier,
  inProgress: runsByTier,
  paused: runsByTier,
  unplaced: z.number().int().describe('Runs in progress without a live host.'),
  waiting: z
    .array(
      z.strictObject({
        requestId: z.string(),
        label: z.string().nullable(),
        mode: z.enum(modes),
        organisation: namedOrganisation,
        source: storeRef,
        destination: storeRef,
        tier: z.enum(tiers),
        since: z.iso.datetime(),
        why: waitingReason,
      }),
    )
    .describe('Queued runs in the order of their requests, 100 at most.'),
})

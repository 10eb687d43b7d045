import { z } from 'zod'
import { counters, storeRef, timestamps } from './migration.ts'
import { conflictStrategies, modes } from './modes.ts'
import { pageInput, pageOf } from './primitives/list-page.ts'
import { moment } from './primitives/moment.ts'
import { platformId } from './selection.ts'
import { migrationStatuses } from './status.ts'
import { storeHash } from './stores.ts'

export const person = z.strictObject({ id: z.string(), name: z.string() })

export const historyEntry = z.strictObject({
  requestId: z.string(),
  label: z.string().nullable(),
  source: storeRef,
  destination: storeRef,
  mode: z.enum(modes),
  conflictStrategy: z.enum(conflictStrategies),
  status: z.enum(migrationStatuses),
  selective: z.boolean(),
  counters,
  failuresOpen: z.int().min(0),
  timestamps,
  workedSeconds: z.int().min(0).describe('Time in progress, without waiting for its turn and without pauses.'),
  summaryLine: z.string(),
  tryingAgain: z
    .boolean()
    .describe('Whether it is in progress because a person asked to try again what failed. It does nothing else then.'),
  createdBy: person.nullable().describe('Null when the requester is not known.'),
})
export type HistoryEntry = z.infer<typeof historyEntry>

/** Comma-separated in a query string. Sorted, so that a cursor treats the same values as the same list. */
function anyOf<const Value extends string>(known: readonly Value[]) {
  return z
    .preprocess(
      (given) => (typeof given === 'string' ? given.split(',') : given),
      z
        .array(z.enum(known))
        .min(1)
        .max(known.length)
        .overwrite((given) => known.filter((one) => (given as readonly Value[]).includes(one))),
    )
    .meta({ explode: false, description: 'Any of them; several with commas between them.' })
}

export const historyFilters = {
  status: anyOf(migrationStatuses).optional(),
  waitsFor: z
    .enum(['deletion'])
    .optional()
    .describe('`deletion`: only those that are paused until a person decides what a `replace` may delete.'),
  mode: anyOf(modes).optional(),
  conflictStrategy: anyOf(conflictStrategies).optional(),
  store: storeHash.optional().describe('As source or destination.'),
  source: storeHash.optional(),
  destination: storeHash.optional(),
  storefront: platformId.optional().describe('Id of a channel, as the storefront copied from or to.'),
  createdBy: z
    .uuid('Must be the id of a person, as `createdBy` of a migration has it.')
    .optional()
    .describe('Id of the person who made it.'),
  createdFrom: moment.optional(),
  createdBefore: moment.optional(),
  text: z
    .string()
    .max(255)
    .optional()
    .describe(
      'Part of the label, of the label or hash of a store, of the summary of a migration that has ended, or of the id.',
    ),
}

export const historySorts = ['created', 'updated', 'duration', 'failures'] as const
export type HistorySort = (typeof historySorts)[number]

export const historyOrder = {
  sort: z
    .enum(historySorts)
    .default('created')
    .describe(
      'What is newest, changed last, worked longest or has most open failures comes first. Except for `created`, a migration ' +
        'that changes between two pages may move from one to the other; all others are listed once.',
    ),
}

export const listMigrationsInput = z.strictObject({ ...historyFilters, ...historyOrder, ...pageInput })
const creator = person.extend({
  email: z.string().nullable().describe('Only for people of the same name; null for everybody else.'),
})
export const creators = z.strictObject({ items: z.array(creator) })
export const historyPage = pageOf(historyEntry)

import { z } from 'zod'
import { runSettings } from './create-migration.ts'
import { person } from './history.ts'
import { visibleText } from './primitives/text.ts'
import { scopeEntry } from './selection.ts'
import { controls, migrationStatuses } from './status.ts'

/** Why a queued run has not started, in the order in which admission checks. */
export const waitingReasons = {
  pricing: 'its forecast is being made',
  starting: 'it begins within seconds',
  source_written: 'another migration writes to its source',
  destination_used: 'another migration uses its destination',
  organisation_limit: 'its organisation has as many in progress as it may',
  tier_limit: 'as many of its tier are in progress as may be',
  no_host: 'no host offers a slot',
  no_room: 'no host has a slot for its tier',
  lost_host: 'one in progress that lost its host gets the next slot',
}

const meanings = Object.entries(waitingReasons).map(([reason, meaning]) => `\`${reason}\`: ${meaning}`)
// The keys are the reasons.
const reasons = Object.keys(waitingReasons) as (keyof typeof waitingReasons)[]

export const waitingReason = z.enum(reasons).describe(`${meanings.join('; ')}.`)
export type WaitingReason = z.infer<typeof waitingReason>

/**
 * The original request and the controls allowed now. Not part of MigrationDetail, which has only the specification's
 * keys.
 */
export const migrationRequest = z.strictObject({
  requestId: z.string(),
  label: z.string().nullable(),
  createdBy: person.nullable(),
  settings: runSettings,
  scope: z
    .array(scopeEntry)
    .nullable()
    .describe(
      'What the selection covers, determined at creation: the picks and what they need. Null without a selection.',
    ),
  asked: z.enum(['none', 'pause', 'cancel']).describe('The control that was requested and has not taken effect yet.'),
  allowedControls: z.array(z.enum(controls)),
  verifies: z.string().nullable().describe('The run that this one verifies.'),
  comparison: z
    .strictObject({
      requestId: z.string(),
      status: z.enum(migrationStatuses),
      createdAt: z.iso.datetime(),
      isCurrent: z.boolean().describe('False if the migration went on since.'),
    })
    .nullable()
    .describe('The latest comparison of this migration that has ended.'),
  prune: z
    .strictObject({ confirmPrune: z.string(), items: z.int() })
    .nullable()
    .describe(
      'Set while a `replace` is paused because it would delete more destination-only items than its limits allow. Resume with this confirmPrune to delete them, or without it to continue and keep them.',
    ),
  plan: z
    .strictObject({
      sourceReads: z.int().nullable(),
      destinationReads: z.int().nullable(),
      writes: z.int().nullable(),
      minutes: z.number().nullable(),
      pruned: z.record(z.string(), z.int()).describe('Items that would be deleted, by component.'),
      widgets: z.int().describe('Widget nodes that the destination would have of the copied pages.'),
      globalContextsPublished: z
        .int()
        .describe('Channels whose widgets on all pages would be the same at the destination as in the source.'),
    })
    .nullable()
    .describe(
      'Of a finished dry run: calls and minutes that the real run would take, at the quotas the stores had when the dry run began; null where these were unknown. What it would create and update is in the phases and, item by item, in the differences.',
    ),
  fallbackReason: z
    .string()
    .nullable()
    .describe('Why a store was not read for the forecast, which then used defaults for it; null when both were.'),
  failure: z
    .strictObject({ code: z.string(), message: z.string() })
    .nullable()
    .describe('Why the migration failed, or why it was paused without a request.'),
  waiting: z
    .strictObject({
      system: z.enum(['source', 'destination', 'database', 'quota']),
      store: z.string().nullable().describe('The hash of the store; null for the database.'),
      since: z.iso.datetime(),
      nextTryAt: z.iso.datetime().describe('When it is asked again; in the past while that is being done.'),
    })
    .nullable()
    .describe('Set while a migration in progress waits for a system that is away. It goes on by itself.'),
  queue: z
    .strictObject({
      why: waitingReason,
      before: z.int().describe('Queued migrations of the organisation that were requested before this one.'),
    })
    .nullable()
    .describe('Set while the migration is queued. It starts by itself.'),
})
export type MigrationRequest = z.infer<typeof migrationRequest>

export const resumeInput = z.strictObject({
  id: z.string().describe('The request id from the answer that created the migration.'),
  confirmPrune: z
    .string()
    .optional()
    .describe('The value from `prune`; lets a paused `replace` delete exactly that set of items.'),
})

export const oneMigrationInput = z.strictObject({
  id: z.string().describe('The request id from the answer that created the migration.'),
})

export const renameMigrationInput = oneMigrationInput.extend({
  label: visibleText.nullable().describe('Null for none.'),
})
export const renamedMigration = migrationRequest.pick({ requestId: true, label: true })

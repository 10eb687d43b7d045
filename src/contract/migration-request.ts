import { z } from 'zod'
import { runSettings } from './create-migration.ts'
import { person } from './history.ts'
import { scopeEntry } from './selection.ts'
import { controls } from './status.ts'

/** What was asked, and what may be asked now; kept apart from MigrationDetail, which has no key beyond the specification. */
export const migrationRequest = z.strictObject({
  requestId: z.string(),
  label: z.string().nullable(),
  createdBy: person.nullable(),
  settings: runSettings,
  scope: z
    .array(scopeEntry)
    .nullable()
    .describe('What a selection covers, found at creation: picks and what they need. Null without a selection.'),
  asked: z.enum(['none', 'pause', 'cancel']).describe('What the run was told and has not reached yet.'),
  allowedControls: z.array(z.enum(controls)),
  verifies: z.string().nullable().describe('The run that this one compares again.'),
  prune: z
    .strictObject({ confirmPrune: z.string(), items: z.int() })
    .nullable()
    .describe(
      'Set while a paused `replace` waits: it would delete so many destination-only items, more than its limits. Resume with this confirmPrune to let it; resume without, and it goes on without deleting them.',
    ),
  plan: z
    .strictObject({ sourceReads: z.int(), destinationReads: z.int(), writes: z.int(), minutes: z.number() })
    .nullable()
    .describe(
      'Of a dry run that has ended: calls and minutes of the run it stands for, at the quotas that the stores told when it began. What it would do is in the phases and, item by item, in the differences.',
    ),
  failure: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
})
export type MigrationRequest = z.infer<typeof migrationRequest>

export const resumeInput = z.strictObject({
  id: z.string().describe('The request id that creating answered.'),
  confirmPrune: z
    .string()
    .optional()
    .describe('From `prune` of the request; lets a paused `replace` delete exactly that set of items.'),
})

export const oneMigrationInput = z.strictObject({ id: z.string().describe('The request id that creating answered.') })

import { z } from 'zod'
import { conflictStrategies } from './modes.ts'
import { limits } from './primitives/limits.ts'
import { pageInput, pageOf } from './primitives/list-page.ts'

export const difference = z.strictObject({
  id: z.string(),
  phase: z.string(),
  component: z.string(),
  kind: z
    .enum(['missing', 'different', 'extra'])
    .describe('In a dry run: would be created, would be updated or would be deleted.'),
  item: z.strictObject({
    sourceId: z.string().nullable().describe('Null when only the destination has it.'),
    name: z.string().nullable(),
    sku: z.string().nullable(),
    path: z.string().nullable(),
  }),
  destinationId: z.string().nullable().describe('Null when only the source has it.'),
  fields: z.array(
    z.strictObject({
      path: z.string(),
      source: z.unknown(),
      destination: z.unknown(),
      names: z
        .record(z.string(), z.string())
        .optional()
        .describe('Names of the destination’s items whose ids the two values hold, by id.'),
    }),
  ),
  living: z
    .boolean()
    .describe('Whether only destination-owned values such as stock differ. Then nothing is wrong with the copy.'),
  changedMeanwhile: z.boolean().describe('Whether one of the stores changed during the comparison.'),
  kept: z
    .boolean()
    .describe(
      'Whether it stays so: what shoppers made at the destination is deleted only if `pruneLive` names its component, and customers, subscribers and wishlists that were deleted there are copied again only if `recreateErased` does. Defaults of the destination, such as its group for new customers, are never deleted, nor what another store, or another storefront of the source, has been copied to.',
    ),
  state: z.enum(['open', 'dismissed']).describe('Dismissed: a person accepted it as it is.'),
  repairedBy: z
    .enum(conflictStrategies)
    .nullable()
    .describe(
      'The mildest strategy under which a copy repairs it. Null: none does, or only a request that names the component (`overwriteLiving`, `pruneLive`, `recreateErased`).',
    ),
})
export type Difference = z.infer<typeof difference>

export const differenceFilters = {
  phase: z.string().optional(),
  component: z.string().optional(),
  kind: z.enum(['missing', 'different', 'extra']).optional(),
}

export const listDifferencesInput = z.strictObject({
  id: z.string(),
  ...differenceFilters,
  living: z
    .enum(['only', 'without'])
    .optional()
    .describe('`only`: differences of destination-owned values alone; `without`: all others.'),
  text: z.string().max(limits.textLength).optional().describe('Part of the name or SKU, or the whole id.'),
  ...pageInput,
})
export const differencePage = pageOf(difference)

/**
 * Only open ones are dismissed, and only dismissed ones reopened. With ids and filters, a difference must match both.
 */
const differenceChoice = {
  id: z.string(),
  ids: z
    .array(z.string())
    .min(1)
    .max(limits.dismissedIds)
    .optional()
    .describe('Differences by id; with an id that the migration does not have, nothing is changed.'),
  ...differenceFilters,
}

export const dismissDifferencesInput = z.strictObject(differenceChoice)
export const reopenDifferencesInput = z.strictObject(differenceChoice)

export const dismissedDifferences = z.strictObject({
  dismissed: z.int().describe('Number of differences that were open before.'),
})

export const reopenedDifferences = z.strictObject({
  reopened: z.int().describe('Number of differences that were dismissed before.'),
})

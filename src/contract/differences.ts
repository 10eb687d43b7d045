import { z } from 'zod'
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
  fields: z.array(z.strictObject({ path: z.string(), source: z.unknown(), destination: z.unknown() })),
  living: z
    .boolean()
    .describe('Whether only destination-owned values such as stock differ. Then nothing is wrong with the copy.'),
  changedMeanwhile: z.boolean().describe('Whether one of the stores changed during the comparison.'),
  kept: z
    .boolean()
    .describe(
      'Whether it stays so: what shoppers made at the destination is deleted only if `pruneLive` names its component, and customers, subscribers and wishlists that were deleted there are copied again only if `recreateErased` does.',
    ),
})
export type Difference = z.infer<typeof difference>

export const differenceFilters = {
  phase: z.string().optional(),
  component: z.string().optional(),
  kind: z.enum(['missing', 'different', 'extra']).optional(),
}

export const listDifferencesInput = z.strictObject({ id: z.string(), ...differenceFilters, ...pageInput })
export const differencePage = pageOf(difference)

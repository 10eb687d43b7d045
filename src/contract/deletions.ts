import { z } from 'zod'
import { limits } from './primitives/limits.ts'
import { pageInput, pageOf } from './primitives/list-page.ts'

export const deletionStates = ['planned', 'deleted', 'kept'] as const
export const deletionReasons = ['destination_only', 'source_deleted'] as const

export const deletion = z.strictObject({
  id: z.string(),
  phase: z.string(),
  component: z.string(),
  label: z.string().describe('What the component is called.'),
  item: z.strictObject({ name: z.string().nullable(), sku: z.string().nullable(), path: z.string().nullable() }),
  destinationId: z.string(),
  parentId: z.string().nullable().describe('Destination id of the item that it belongs to; null at the top.'),
  parentName: z.string().nullable().describe('What the item that it belongs to is called, the outermost one first.'),
  reason: z
    .enum(deletionReasons)
    .describe('Whether the source never had it, or had it and has deleted it since the copy.'),
  state: z
    .enum(deletionStates)
    .describe('Whether it is still to be deleted (in a dry run: would be), was deleted, or was kept after all.'),
  at: z.iso.datetime(),
})
export type Deletion = z.infer<typeof deletion>

export const deletionFilters = {
  component: z.string().optional(),
  state: z.enum(deletionStates).optional(),
  text: z
    .string()
    .max(limits.textLength)
    .optional()
    .describe('Part of the name or SKU of the item or of the name of the one that it belongs to, or its whole id.'),
}

export const listDeletionsInput = z.strictObject({ id: z.string(), ...deletionFilters, ...pageInput })
export const deletionPage = pageOf(deletion)

export const deletionCounts = z.strictObject({
  parts: z.array(
    z.strictObject({
      component: z.string(),
      label: z.string().describe('What the component is called.'),
      planned: z.int(),
      deleted: z.int(),
      kept: z.int(),
    }),
  ),
})

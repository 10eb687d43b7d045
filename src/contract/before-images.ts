import { z } from 'zod'
import { limits } from './primitives/limits.ts'
import { pageInput, pageOf } from './primitives/list-page.ts'

export const listBeforeImagesInput = z.strictObject({
  id: z.string().max(64),
  component: z.string().max(64).optional(),
  action: z.enum(['update', 'delete']).optional(),
  destinationId: z.string().max(255).optional(),
  text: z
    .string()
    .max(limits.textLength)
    .optional()
    .describe('Part of the name or SKU of the item or of the one that it belongs to, or its whole id.'),
  ...pageInput,
})

export const beforeImagePage = pageOf(
  z.strictObject({
    component: z.string(),
    destinationId: z.string(),
    item: z
      .strictObject({
        name: z.string().nullable(),
        sku: z.string().nullable(),
        parentName: z.string().nullable().describe('What the item that it belongs to is called; null at the top.'),
      })
      .describe('All null for personal and secret data, and where names were not kept yet.'),
    action: z.enum(['update', 'delete']),
    body: z
      .unknown()
      .describe(
        'Of a deleted item everything the store returned, of an updated one the overwritten fields. Null for personal and secret data, which are kept encrypted.',
      ),
    isSealed: z.boolean().describe('Whether the item holds personal or secret data, so that its body is not shown.'),
    at: z.iso.datetime(),
  }),
)

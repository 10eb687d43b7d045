import { z } from 'zod'
import { limits } from './primitives/limits.ts'
import { pageInput, pageOf } from './primitives/list-page.ts'

export const mappingOrigins = ['created', 'adopted'] as const

export const listMappingsInput = z.strictObject({
  id: z.string().max(64),
  component: z.string().max(64).optional(),
  origin: z.enum(mappingOrigins).optional(),
  made: z
    .enum(['here'])
    .optional()
    .describe('`here`: only pairs that this migration made, and not those of earlier ones.'),
  text: z
    .string()
    .max(limits.textLength)
    .optional()
    .describe('Part of the name or SKU, or the whole id of either item.'),
  ...pageInput,
})

export const mappingPage = pageOf(
  z.strictObject({
    component: z.string(),
    storefronts: z
      .string()
      .describe('`store` for items of the whole store; otherwise the pair of storefronts the item belongs to.'),
    sourceId: z.string(),
    item: z
      .strictObject({ name: z.string().nullable(), sku: z.string().nullable() })
      .describe('All null for personal and secret data, and where names were not kept yet.'),
    destinationId: z.string(),
    origin: z
      .enum(mappingOrigins)
      .describe('`adopted`: the item existed at the destination and was matched by its natural key.'),
    owed: z.array(z.string()).describe('What the copy still lacks; a later run completes it.'),
  }),
)

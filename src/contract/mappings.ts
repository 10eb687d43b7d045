import { z } from 'zod'
import { pageInput, pageOf } from './primitives/list-page.ts'

export const listMappingsInput = z.strictObject({
  id: z.string().max(64),
  component: z.string().max(64).optional(),
  ...pageInput,
})

export const mappingPage = pageOf(
  z.strictObject({
    component: z.string(),
    storefronts: z
      .string()
      .describe('`store` for items of the whole store; otherwise the pair of storefronts the item belongs to.'),
    sourceId: z.string(),
    destinationId: z.string(),
    origin: z
      .enum(['created', 'adopted'])
      .describe('`adopted`: the item existed at the destination and was matched by its natural key.'),
    owed: z.array(z.string()).describe('What the copy still lacks; a later run completes it.'),
  }),
)

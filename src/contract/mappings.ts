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
      .describe('`store` for what the whole store has; else the pair of storefronts the item belongs to.'),
    sourceId: z.string(),
    destinationId: z.string(),
    origin: z
      .enum(['created', 'adopted'])
      .describe('Adopted: it was there, and is taken for the same by its natural key.'),
    owed: z.array(z.string()).describe('What the copy still lacks; a later run brings it.'),
  }),
)

import { z } from 'zod'
import { pageInput, pageOf } from './primitives/list-page.ts'

export const listBeforeImagesInput = z.strictObject({
  id: z.string().max(64),
  component: z.string().max(64).optional(),
  ...pageInput,
})

export const beforeImagePage = pageOf(
  z.strictObject({
    component: z.string(),
    destinationId: z.string(),
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

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
        'Of a deleted item all that the store said of it, of an updated one the fields that were written over. Null for personal and secret data, which are kept encrypted.',
      ),
    isSealed: z.boolean().describe('Personal or secret data: the body is not shown.'),
    at: z.iso.datetime(),
  }),
)

import { z } from 'zod'
import { pageInput, pageOf } from '../primitives/list-page.ts'

export const tokenListInput = z.strictObject(pageInput)
export const tokenPage = pageOf(
  z.strictObject({
    id: z.string().describe('The `jti` of the token.'),
    organisation: z.strictObject({ id: z.string(), name: z.string() }),
    address: z.string().nullable().describe('Where the login came from.'),
    issuedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  }),
)

import { z } from 'zod'
import { text } from '../primitives/text.ts'
import { store, storefront } from '../stores.ts'

/** Field names as the specification spells them. */
export const loginInput = z.strictObject({
  username: text.describe('First name, last name or full name, as registered.'),
  email: text,
  organization_name: text.describe('As registered; case-insensitive.'),
  client_id: text,
  client_secret: text,
})

export const loginOutput = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number().int().describe('Seconds from now.'),
  expires_at: z.iso.datetime(),
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  organization: z.object({ id: z.string(), name: z.string() }),
  stores: z.array(
    store.extend({
      storefronts: z
        .array(storefront)
        .describe('Empty when the store did not respond in time; use GET /v2/stores/{hash}/storefronts then.'),
    }),
  ),
})

import { z } from 'zod'

/** Also guards every URL we build for the platform (S3). */
export const storeHash = z.string().regex(/^[a-z0-9]{1,20}$/, 'A store hash has 1 to 20 lower-case letters and digits.')

export const storefront = z.object({ id: z.string(), name: z.string() })
export type Storefront = z.infer<typeof storefront>

export const store = z.object({ hash: z.string(), label: z.string(), platform: z.literal('BC') })

export const storeList = z.object({ items: z.array(store) })

export const storeDetail = store.extend({
  connectedAt: z.iso.datetime(),
  access: z.object({
    reachable: z.boolean(),
    /** Why it cannot be used; null if it can. */
    message: z.string().nullable(),
    /** Scopes for a copy that the store's API token lacks, by the platform's names. */
    missingScopes: z.array(z.string()),
  }),
})

export const storefrontList = z.object({ items: z.array(storefront) })

import { z } from 'zod'

/** Also protects every URL we build for the platform (S3). */
export const storeHash = z
  .string()
  .regex(
    /^[a-z0-9]{1,20}$/,
    'A store hash has 1 to 20 lower-case letters and digits: the part after /stores/ of the API path.',
  )

export const storefront = z.object({ id: z.string(), name: z.string() })
export type Storefront = z.infer<typeof storefront>

export const store = z.object({ hash: z.string(), label: z.string(), platform: z.literal('BC') })

export const accessStates = ['works', 'refused', 'silent'] as const
export type AccessState = (typeof accessStates)[number]

const lastAccess = z.object({
  state: z.enum(accessStates).describe('`refused`: it does not accept the token. `silent`: it does not answer.'),
  checkedAt: z.iso.datetime(),
  latencyMs: z.int().nullable().describe('Null unless it worked.'),
})

export const storeList = z.object({
  items: z.array(
    store.extend({
      access: lastAccess
        .nullable()
        .describe('From the last look at the store, which may be long ago; null before any.'),
    }),
  ),
})

/** Information that a store returns about itself. */
export const aboutStore = z.object({
  name: z.string(),
  domain: z.string(),
  plan: z.string().nullable(),
  currency: z.string().nullable().describe('Code of the default currency.'),
  weightUnit: z.string().nullable(),
  lengthUnit: z.string().nullable(),
})
export type AboutStore = z.infer<typeof aboutStore>

export const storeDetail = store.extend({
  connectedAt: z.iso.datetime(),
  access: z.object({
    reachable: z.boolean(),
    state: z.enum(accessStates),
    checkedAt: z.iso.datetime(),
    latencyMs: z.int().nullable(),
    /** Why it cannot be used; null if it can. */
    message: z.string().nullable(),
    /** Scopes that a copy needs and the store's API token does not have, by the platform's names. */
    missingScopes: z.array(z.string()),
  }),
  about: aboutStore.nullable().describe('Null while the store cannot be read.'),
})

export const storefrontList = z.object({ items: z.array(storefront) })

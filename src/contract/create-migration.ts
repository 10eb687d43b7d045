import { z } from 'zod'
import { type ConflictStrategy, conflictStrategies, modes } from './modes.ts'
import { text } from './primitives/text.ts'
import { halfAPair, selectionSetting, storefrontSetting, storefrontsPair } from './selection.ts'
import { storeHash } from './stores.ts'

/** What this version carries out. */
export const offeredStrategies: readonly ConflictStrategy[] = ['skip', 'update', 'replace']

/** Every store has the same fifteen. Source: the published orders specification. */
const orderStatuses = Array.from({ length: 15 }, (_, id) => String(id))

const modeSetting = z.enum(modes).default('full')

export const strategySetting = z.enum(conflictStrategies).refine((strategy) => offeredStrategies.includes(strategy), {
  message: `This version cannot do that strategy yet; use ${offeredStrategies.join(' or ')}.`,
})

/** What of themes is asked for: each is more than the one before it. */
export const themeWishes = ['upload', 'activate'] as const
export type ThemeWish = (typeof themeWishes)[number]

/** What is copied: shared by a migration and its forecast. */
export const scopeShape = {
  source: storeHash.describe('Hash of the connected store to read.'),
  destination: storeHash.describe('Hash of the connected store to write.'),
  mode: modeSetting,
  sourceStorefront: storefrontSetting,
  destStorefront: storefrontSetting,
  entities: z.array(z.string()).min(1, 'Name at least one entity, or leave it out for all.').optional(),
  selection: selectionSetting,
  orderStatuses: z
    .array(z.enum(orderStatuses, { error: 'Order statuses are "0" to "14".' }))
    .max(orderStatuses.length)
    .default([])
    .describe('Copy only orders in these statuses (ids as the platform numbers them, "0" to "14"); all when empty.'),
  overwriteLiving: z
    .array(z.string())
    .default([])
    .describe('Components whose living values (stock) are written over at the destination too.'),
  customerConsent: z
    .boolean()
    .default(false)
    .describe('Copy which tracking each customer allowed or denied, too: one more call for each customer.'),
  themes: z
    .enum(themeWishes)
    .optional()
    .describe(
      'Copy the themes that the storefronts of the source show: `upload` puts them beside those of the destination, `activate` also has its storefronts show them. Absent: themes are left alone.',
    ),
}

/** A copy onto itself would read what it writes. */
export function storesDiffer({ source, destination }: { source: string; destination: string }): boolean {
  return source !== destination
}

export const sameStoreTwice = {
  path: ['destination'],
  message: 'The destination is the source; name another connected store.',
}

/** What `replace` may delete without asking, unless an owner says otherwise (D4, S18). */
export const usualPruneLimits = { percent: 20, items: 100 } as const

export const runSettings = z.strictObject({
  ...scopeShape,
  conflictStrategy: strategySetting.default('skip'),
  autoHeal: z.boolean().default(true),
  pruneLimitPercent: z.number().min(0).max(100).default(usualPruneLimits.percent),
  pruneLimitItems: z.int().min(0).default(usualPruneLimits.items),
  deepImages: z.boolean().default(false),
  muteMails: z
    .boolean()
    .default(true)
    .describe('Switch off mails about orders at the destination while orders are copied, and on again afterwards.'),
  label: text.optional(),
})

/** 1 to 255 printable characters; the edge takes it from the header `Idempotency-Key`. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'Give 1 to 255 printable characters without spaces.')
  .optional()

export const createMigrationInput = runSettings
  .extend({ idempotencyKey })
  .refine(storesDiffer, sameStoreTwice)
  .refine(storefrontsPair, halfAPair)

import { z } from 'zod'
import { type ConflictStrategy, conflictStrategies, modes } from './modes.ts'
import { limits, usualPruneLimits } from './primitives/limits.ts'
import { visibleText } from './primitives/text.ts'
import { halfAPair, selectionSetting, storefrontSetting, storefrontsPair } from './selection.ts'
import { storeHash } from './stores.ts'

/** The strategies this version supports. */
export const offeredStrategies: readonly ConflictStrategy[] = ['skip', 'update', 'replace']

/** The same fifteen in every store. Source: the published orders specification. */
const orderStatuses = Array.from({ length: 15 }, (_, id) => String(id))

const modeSetting = z.enum(modes).default('full')

export const strategySetting = z.enum(conflictStrategies).refine((strategy) => offeredStrategies.includes(strategy), {
  message: `This version does not support that strategy yet; use ${offeredStrategies.join(' or ')}.`,
})

/** How themes are copied; each option includes the one before it. */
export const themeWishes = ['upload', 'activate'] as const
export type ThemeWish = (typeof themeWishes)[number]

/** Of entities or components; which ones there are is checked later. */
const names = z.array(z.string()).max(limits.namedParts)

/** What to copy, shared by a migration and its forecast. */
export const scopeShape = {
  source: storeHash.describe('Hash of the connected store to read from.'),
  destination: storeHash.describe('Hash of the connected store to write to.'),
  mode: modeSetting,
  sourceStorefront: storefrontSetting,
  destStorefront: storefrontSetting,
  entities: names.min(1, 'Name at least one entity, or omit the field for all.').optional(),
  selection: selectionSetting,
  orderStatuses: z
    .array(z.enum(orderStatuses, { error: 'Order statuses are "0" to "14".' }))
    .max(orderStatuses.length)
    .default([])
    .describe('Copy only orders in these statuses (ids of the platform, "0" to "14"); all when empty.'),
  overwriteLiving: names
    .default([])
    .describe('Components whose destination-owned values, such as stock, are also overwritten.'),
  pruneLive: names
    .default([])
    .describe(
      'Components of shoppers’ data, such as `customers`, that `replace` may delete where only the destination has it. Only an owner may name any. Customers with orders are never deleted.',
    ),
  recreateErased: names
    .default([])
    .describe(
      'Components about people (customers, subscribers, wishlists) whose copies are created again if they were deleted at the destination.',
    ),
  customerConsent: z
    .boolean()
    .default(false)
    .describe('Also copy which tracking each customer allowed or denied; takes one more call per customer.'),
  themes: z
    .enum(themeWishes)
    .optional()
    .describe(
      'Copy the themes that the storefronts of the source show: `upload` adds them to those of the destination, `activate` also makes its storefronts show them. If omitted, themes are not copied.',
    ),
}

/** A store copied to itself would be read while it is written. */
export function storesDiffer({ source, destination }: { source: string; destination: string }): boolean {
  return source !== destination
}

export const sameStoreTwice = {
  path: ['destination'],
  message: 'Must not be the source; name another connected store.',
}

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
    .describe('Switch off the destination’s emails about orders while orders are copied, and back on afterwards.'),
  label: visibleText.optional(),
})

/** The header `Idempotency-Key`: 1 to 255 printable characters. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'Must be 1 to 255 printable characters without spaces.')
  .optional()

export const createMigrationInput = runSettings
  .extend({ idempotencyKey })
  .refine(storesDiffer, sameStoreTwice)
  .refine(storefrontsPair, halfAPair)

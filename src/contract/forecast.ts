import { z } from 'zod'
import { sameStoreTwice, scopeShape, storesDiffer, strategySetting } from './create-migration.ts'
import { forecast } from './migration.ts'
import { halfAPair, storefrontsPair } from './selection.ts'

/** The body that creates a migration, without the fields that do not affect the price. Without a strategy: priced as create-only. */
export const forecastInput = z
  .strictObject({ ...scopeShape, conflictStrategy: strategySetting.optional() })
  .refine(storesDiffer, sameStoreTwice)
  .refine(storefrontsPair, halfAPair)

/** The forecast of a migration that does not exist. */
export const pricedForecast = forecast.extend({
  fallbackReason: z
    .string()
    .nullable()
    .describe('Why a store was not read, so that defaults were used for it; null when both were.'),
})

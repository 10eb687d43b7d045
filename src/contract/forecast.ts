import { z } from 'zod'
import { sameStoreTwice, scopeShape, storesDiffer, strategySetting } from './create-migration.ts'
import { forecast } from './migration.ts'
import { halfAPair, storefrontsPair } from './selection.ts'

/**
 * The body that creates a migration, without the fields that do not affect the price. Without a strategy: priced as
 * create-only.
 */
export const forecastInput = z
  .strictObject({ ...scopeShape, conflictStrategy: strategySetting.optional() })
  .refine(storesDiffer, sameStoreTwice)
  .refine(storefrontsPair, halfAPair)

const estimate = z.int().min(0)

/** A forecast for a migration that has not been created. */
export const pricedForecast = forecast.extend({
  outlook: z
    .strictObject({
      created: estimate,
      compared: estimate.describe(
        'Compared with their copies in full, because they seem to have changed or, with any strategy, because the copies still lack something. Others that a list shows to differ are updated, too.',
      ),
      kept: estimate,
      deleted: estimate,
    })
    .nullable()
    .describe(
      'Estimates of what a copy would do, in items and their parts. Null for modes that copy nothing, and when a store was not read.',
    ),
  fallbackReason: z
    .string()
    .nullable()
    .describe('Why a store was not read, so that defaults were used for it; null when both were.'),
})

import { z } from 'zod'
import { sameStoreTwice, scopeShape, storesDiffer, strategySetting } from './create-migration.ts'
import { halfAPair, storefrontsPair } from './selection.ts'

/** The body that creates a migration, without the fields that do not affect the price. Without a strategy: priced as create-only. */
export const forecastInput = z
  .strictObject({ ...scopeShape, conflictStrategy: strategySetting.optional() })
  .refine(storesDiffer, sameStoreTwice)
  .refine(storefrontsPair, halfAPair)

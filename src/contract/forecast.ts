import { z } from 'zod'
import { sameStoreTwice, scopeShape, storesDiffer, strategySetting } from './create-migration.ts'
import { halfAPair, storefrontsPair } from './selection.ts'

/** As the body that creates a migration, without what does not change the price. Left out strategy: priced as create-only. */
export const forecastInput = z
  .strictObject({ ...scopeShape, conflictStrategy: strategySetting.optional() })
  .refine(storesDiffer, sameStoreTwice)
  .refine(storefrontsPair, halfAPair)

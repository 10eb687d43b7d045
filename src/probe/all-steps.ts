import type { Step } from './call.ts'
import { batchSteps } from './steps/batches.ts'
import { catalogSteps } from './steps/catalog.ts'
import { contentSteps } from './steps/content.ts'
import { customerSteps } from './steps/customers.ts'
import { listSteps } from './steps/lists.ts'
import { orderSteps } from './steps/orders.ts'
import { pictureSteps } from './steps/pictures.ts'
import { priceSteps } from './steps/prices.ts'
import { productPartSteps } from './steps/product-parts.ts'
import { settingSteps } from './steps/settings.ts'
import { textSteps } from './steps/texts.ts'

/** All behaviours, in the order in which they are tried: later ones refer to items created by earlier ones. */
export const allSteps: readonly Step[] = [
  ...catalogSteps,
  ...productPartSteps,
  ...pictureSteps,
  ...customerSteps,
  ...priceSteps,
  ...contentSteps,
  ...settingSteps,
  ...orderSteps,
  ...textSteps,
  ...listSteps,
  ...batchSteps,
]

export function stepsFor({ quick }: { quick: boolean }): Step[] {
  return allSteps.filter((step) => !quick || step.quick)
}

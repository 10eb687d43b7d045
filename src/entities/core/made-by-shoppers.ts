import type { Component } from './component.ts'
import type { PlatformItem } from './draft.ts'

/** Whether a destination item is data of its shoppers (G3). */
export function isMadeByShoppers({ madeByShoppers }: Pick<Component, 'madeByShoppers'>, item: PlatformItem): boolean {
  return typeof madeByShoppers === 'function' ? madeByShoppers(item) : madeByShoppers === true
}

import { asRecord } from '../../bigcommerce/errors.ts'
import type { PlatformItem } from '../core/draft.ts'

/** The path of an item's page below the shop's address, as merchants know it; null if the item has none. */
export function addressOf({ custom_url, url }: PlatformItem): string | null {
  const path = asRecord(custom_url).url ?? asRecord(url).path
  return path ? String(path) : null
}

/** An item of an old import may have an empty address; the platform accepts none, and gives its copy one. */
export function withoutEmptyAddress(item: PlatformItem): PlatformItem {
  if (addressOf(item) !== null) return item
  const { custom_url: _custom, url: _url, ...rest } = item
  return rest
}

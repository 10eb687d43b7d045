import type { PlatformItem } from '../core/draft.ts'

/** Path of an item's page below the shop, as merchants know it; null when the item does not include it. */
export function addressOf(item: PlatformItem): string | null {
  const url = item.custom_url
  return url !== null && typeof url === 'object' && 'url' in url ? String(url.url) : null
}

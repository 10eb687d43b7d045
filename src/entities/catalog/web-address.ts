import type { PlatformItem } from '../core/draft.ts'

/** The path of an item's page below the shop's address, as merchants know it; null if the item has none. */
export function addressOf(item: PlatformItem): string | null {
  const url = item.custom_url
  return url !== null && typeof url === 'object' && 'url' in url ? String(url.url) : null
}

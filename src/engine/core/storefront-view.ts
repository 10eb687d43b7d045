/** Separates what view a checksum was made in from the checksum. */
const end = '@'

/** What a run over one storefront writes before its checksums; '' for one over the whole store. */
export function viewTag(storefronts: { source: string | null; destination: string | null }): string {
  return storefronts.source === null ? '' : `${storefronts.source}>${storefronts.destination}${end}`
}

export function viewOf(checksum: string): string {
  return checksum.slice(0, checksum.indexOf(end) + 1)
}

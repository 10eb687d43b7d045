/** Separates the view that a checksum was made in from the checksum. */
const end = '@'

/** Prefix of the checksums of a storefront run; '' for other runs. */
export function viewTag(storefronts: { source: string | null; destination: string | null }): string {
  return storefronts.source === null ? '' : `${storefronts.source}>${storefronts.destination}${end}`
}

export function viewOf(checksum: string): string {
  return checksum.slice(0, checksum.indexOf(end) + 1)
}

/**
 * Prefix of the source ids of redirects that a run creates for items whose address is taken: they are not copies of
 * anything in the source.
 */
export const madeRedirects = 'address/'

export function madeRedirectId(item: { component: string; sourceId: string }, siteId: number): string {
  return `${madeRedirects}${item.component}/${item.sourceId}/${siteId}`
}

export function isMadeRedirect(sourceId: string): boolean {
  return sourceId.startsWith(madeRedirects)
}

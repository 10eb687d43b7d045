/** A field of an item as a person would write it; files for scripts keep BigCommerce's own name. */
export function fieldName(path: string): string {
  return path.replaceAll('_', ' ')
}

/** The name of a field as a person would write it. Files for scripts have BigCommerce's own name. */
export function fieldName(path: string): string {
  return path.replaceAll('_', ' ')
}

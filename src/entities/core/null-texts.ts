import type { PlatformItem } from './draft.ts'

/**
 * Texts of products, brands and categories that a store may never have set. Source: types and recorded answers in public
 * clients (`aligent/bigcommerce-v3-api-php-client`, answers of version 2).
 */
export const usualTexts = ['description', 'meta_description', 'page_title', 'search_keywords']

/** The item with empty texts where these fields are null: stores show null in answers, and no call accepts it. */
export function withoutNullTexts(item: PlatformItem, fields: readonly string[]): PlatformItem {
  const none = fields.filter((field) => item[field] === null).map((field) => [field, ''])
  return none.length === 0 ? item : { ...item, ...Object.fromEntries(none) }
}

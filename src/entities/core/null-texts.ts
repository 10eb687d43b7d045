import type { PlatformItem } from './draft.ts'

/** The item with empty texts where these fields are null: stores show null in answers, and no call accepts it. */
export function withoutNullTexts(item: PlatformItem, fields: readonly string[]): PlatformItem {
  const none = fields.filter((field) => item[field] === null).map((field) => [field, ''])
  return none.length === 0 ? item : { ...item, ...Object.fromEntries(none) }
}

import type { SandboxStore } from './store.ts'

type Fields = Record<string, unknown>

const TEXTS = ['meta_description', 'search_keywords', 'warranty', 'open_graph_description', 'upc']

/**
 * Some stores show null for texts of a product, brand or category that were never set. Source: types and recorded answers
 * in public clients (`aligent/bigcommerce-v3-api-php-client`, answers of version 2).
 */
export function withNullTexts(store: SandboxStore, row: Fields): Fields {
  if (store.switches.normalised_answers !== true) return row
  return { ...row, ...Object.fromEntries(TEXTS.filter((field) => row[field] === '').map((field) => [field, null])) }
}

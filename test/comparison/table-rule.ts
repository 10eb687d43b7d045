import { shopText } from './shop-texts.ts'
import type { Row, StoreSide } from './store-side.ts'

export type Fields = Record<string, unknown>

/** How the rows of one table are recognised in another store. */
export interface TableRules {
  table: string
  entity: string
  /** Fields that contain an id of a table. */
  references: Record<string, string>
  /** Which of the references name the parent; the first that is not 0 counts. */
  parents: string[]
  /** The row may have another parent and still be the same row. */
  mayMove?: boolean
  /** Natural keys among rows with the same parent, strongest first. Without any, the row's content decides. */
  keys(row: Row, side: StoreSide): string[]
  /** Whether the row contains anything; an empty one counts as none. */
  says?(row: Row): boolean
  /** A person's name for it when it has no keys. */
  label?(row: Row): string
  /** What verify names a row by; absent: its id. */
  shownAs?(row: Row): string
  /** Replaces nested fields that contain ids or addresses. */
  rewritten?(row: Row, side: StoreSide): Fields
}

export const plainText = (value: unknown): string => String(value ?? '').trim()

export const tablesOfTypes: Record<string, string> = {
  ...{ product: 'products', category: 'categories', brand: 'brands', page: 'pages' },
}

export function itemOf(type: unknown, id: unknown, side: StoreSide): unknown {
  const table = tablesOfTypes[plainText(type)]
  return table ? side.refer(table, Number(id)) : id
}

export function metafieldRules(table: string, entity: string, owners: string): TableRules {
  return {
    table,
    entity,
    references: { resource_id: owners },
    parents: ['resource_id'],
    keys: (row) => [`${plainText(row.namespace)}.${plainText(row.key)}`],
  }
}

/** Every store starts with one of these, under this id. */
export const bornWith = 1

/** Texts that link to pages of the shop. */
export function withTexts(row: Fields, side: StoreSide, ...fields: string[]): Fields {
  return Object.fromEntries(fields.filter((field) => field in row).map((field) => [field, shopText(row[field], side)]))
}

/** Texts that were never set: a store shows null for them, which no call accepts, so a copy has empty ones. */
export function withEmptyTexts(row: Fields, ...fields: string[]): Fields {
  return Object.fromEntries(fields.filter((field) => row[field] === null).map((field) => [field, '']))
}

export function withPictureName(fields: Fields): Fields {
  return 'image_url' in fields ? { image_url: pictureName(fields.image_url) } : {}
}

export function isObject(value: unknown): value is Fields {
  return value !== null && typeof value === 'object'
}

/** A store puts pictures into folders of its own, numbers them and adds their sizes; what remains is the picture's name. */
export function pictureName(file: unknown): string {
  const name = plainText(file).split('?')[0]?.split('/').at(-1) ?? ''
  return name
    .replace(/__\d{5}/g, '')
    .replace(/(\.\d+){2}(?=\.[a-z]+$)/i, '')
    .toLowerCase()
}

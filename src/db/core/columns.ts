import type { Tables } from './tables.ts'

/** Columns of a table, by the camel-cased names that queries give them. */
export type Columns<Table extends keyof Tables, Name extends keyof Tables[Table]> = Pick<Tables[Table], Name>

/** Columns that a query renames: new name -> column. */
export type Renamed<Table extends keyof Tables, Names extends Record<string, keyof Tables[Table]>> = {
  [Name in keyof Names]: Tables[Table][Names[Name]]
}

/** Columns that may be null because the row may be missing, as in a left join. */
export type OrNull<Row> = { [Name in keyof Row]: Row[Name] | null }

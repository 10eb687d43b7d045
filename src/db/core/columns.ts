import type { Tables } from './tables.ts'

/** Columns of a table, by the camel-cased names that queries give them. */
export type Columns<Table extends keyof Tables, Name extends keyof Tables[Table]> = Pick<Tables[Table], Name>

/** Columns to which a query gives names of its own: its name -> column. */
export type Renamed<Table extends keyof Tables, Names extends Record<string, keyof Tables[Table]>> = {
  [Name in keyof Names]: Tables[Table][Names[Name]]
}

/** Columns of a row that may be missing, such as one of a left join. */
export type OrNull<Row> = { [Name in keyof Row]: Row[Name] | null }

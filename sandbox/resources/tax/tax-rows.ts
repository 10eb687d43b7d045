import { refuse } from '../../http/answers.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { listBody } from '../../validation/body-checks.ts'

export type Body = Record<string, unknown>

/** The zone for shoppers outside all other zones. Every store has it, and no call creates it. */
export const DEFAULT_TAX_ZONE_ID = 1

export function taxZoneTable(store: SandboxStore): Table {
  const table = store.table('tax_zones', ['name'])
  if (table.count() === 0) table.insert({ id: DEFAULT_TAX_ZONE_ID, ...FRESH_ZONE, name: 'Default Tax Zone' })
  return table
}

export const FRESH_ZONE = {
  enabled: true,
  price_display_settings: { show_inclusive: false, show_both_on_detail_view: false, show_both_on_list_view: false },
  shopper_target_settings: { locations: [], customer_groups: [] },
}

export function taxRateTable(store: SandboxStore): Table {
  return store.table('tax_rates', ['tax_zone_id', 'name'])
}

export const FRESH_RATE = { enabled: true, priority: 1 }

export function taxPropertyTable(store: SandboxStore): Table {
  return store.table('tax_properties', ['code_key', 'type'])
}

/** Reads the rows of a batch. The tax resources name rows by position in their errors. */
export function eachRow(body: unknown, read: (row: Body, errors: Record<string, string>) => Body): Body[] {
  const rows = listBody(body)
  if (rows.length === 0) refuse(422, 'The body must be an array of at least one item')
  const complaints: Record<string, string> = {}
  const values = rows.map((row, at) => {
    const errors: Record<string, string> = {}
    const own = read(row, errors)
    for (const [field, text] of Object.entries(errors)) complaints[`${at}.${field}`] = text
    return own
  })
  if (Object.keys(complaints).length > 0) refuse(422, Object.values(complaints).join('; '), complaints)
  return values
}

export function rowToUpdate(table: Table, { id }: Body, errors: Record<string, string>): Row | undefined {
  const own = Number.isInteger(id) ? table.get(Number(id)) : undefined
  if (!own) errors.id = `there is no item ${String(id)}`
  return own
}

export function idsOrRefusal(query: URLSearchParams): number[] {
  const given = query.get('id:in') ?? ''
  const ids = given.split(',').map(Number)
  if (given === '' || !ids.every(Number.isInteger)) refuse(400, 'The filter id:in is required', { 'id:in': 'required' })
  return ids
}

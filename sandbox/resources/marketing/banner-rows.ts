import type { Row, SandboxStore, Table } from '../../store/store.ts'

export const bannerTable = (store: SandboxStore): Table => store.table('banners', ['page'])

const FRESH = { item_id: '0', date_type: 'always', date_from: '0', date_to: '0', visible: '1' }

/** Every field of a banner is a string, even numbers and times. Source: the published marketing specification. */
export function insertBanner(store: SandboxStore, fields: Record<string, unknown>, dateCreated: string): Row {
  return bannerTable(store).insert({ ...FRESH, date_created: dateCreated, ...fields })
}

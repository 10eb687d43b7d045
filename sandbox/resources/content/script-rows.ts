import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { stableUuid } from '../../store/store-identity.ts'

export const scriptTable = (store: SandboxStore): Table => store.table('scripts', ['uuid', 'client_id', 'channel_id'])

const FRESH = {
  description: '',
  auto_uninstall: false,
  load_method: 'default',
  location: 'head',
  visibility: 'storefront',
  kind: 'src',
  consent_category: 'unknown',
  enabled: true,
  channel_id: 1,
  integrity_hashes: [],
}

/** @param clientId the owner; other clients do not see the script */
export function insertScript(
  store: SandboxStore,
  fields: Record<string, unknown>,
  clientId: string,
  date: string,
): Row {
  const table = scriptTable(store)
  const { id } = table.insert({ ...FRESH, ...fields, client_id: clientId, date_created: date, date_modified: date })
  return table.update(id, { uuid: stableUuid(`${store.hash}/script/${id}`) })
}

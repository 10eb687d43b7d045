import type { Row, SandboxStore, Table } from '../../store/store.ts'

export type Owner = 'product' | 'variant' | 'category' | 'brand' | 'channel' | 'location' | 'customer'

const MOMENT = '2024-02-29T23:59:59+00:00'

export interface NewMetafield {
  key: string
  value: string
  permission_set?: string
  namespace?: string
  description?: string
  owner_client_id?: string
}

export function insertMetafield(
  store: SandboxStore,
  type: Owner,
  table: Table,
  ownerId: number,
  given: NewMetafield,
): Row {
  return table.insert({
    namespace: 'awkward',
    permission_set: 'write',
    description: '',
    owner_client_id: `client${store.hash}`,
    ...given,
    resource_type: type,
    resource_id: ownerId,
    date_created: MOMENT,
    date_modified: MOMENT,
  })
}

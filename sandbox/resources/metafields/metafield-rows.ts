import { refuse } from '../../http/answers.ts'
import type { SandboxRequest } from '../../http/resource.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { refuseIfAny, rowOr404 } from '../../validation/body-checks.ts'
import { now } from '../../validation/dates.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { METAFIELDS_PER_OWNER } from '../../validation/product-fields.ts'

type Body = Record<string, unknown>

/** A kind of owner of metafields. All kinds behave alike. */
export interface MetafieldKind {
  /** The `resource_type` of the rows. */
  resourceType: 'product' | 'variant' | 'category' | 'brand' | 'channel' | 'location' | 'customer' | 'order' | 'store'
  table(store: SandboxStore): Table
  /** The owners: products, variants, categories and so on. Absent for the store, which always exists. */
  owners?(store: SandboxStore): Table
  /** The most metafields per client and owner. `METAFIELDS_PER_OWNER` by default. */
  most?: number
}

/** A scope that lets a client see all metafields, whatever their permission set. */
const SEES_ALL = 'store_metafield_write_all'

const PERMISSION_SETS = ['app_only', 'read', 'write', 'read_and_sf_access', 'write_and_sf_access']
const WRITABLE_BY_OTHERS = ['write', 'write_and_sf_access']

const RULES: FieldRules = {
  namespace: { kind: 'text', min: 1, max: 64 },
  key: { kind: 'text', min: 1, max: 64 },
  value: { kind: 'text', min: 1, max: 65_535 },
  description: { kind: 'text', max: 255 },
  permission_set: { kind: 'text', oneOf: PERMISSION_SETS },
}

type Caller = Pick<SandboxRequest, 'store' | 'clientId' | 'scopes'>

/** `app_only` metafields of other clients are invisible. */
export function isVisible(caller: Caller, metafield: Row): boolean {
  return (
    metafield.permission_set !== 'app_only' ||
    metafield.owner_client_id === caller.clientId ||
    caller.scopes.has(SEES_ALL)
  )
}

export function createMetafield(kind: MetafieldKind, caller: Caller, ownerId: number, body: Body): Row {
  const table = kind.table(caller.store)
  const { values, errors } = readFields(RULES, body)
  refuseIfAny({ ...complaintsAboutMissing(['namespace', 'key', 'value', 'permission_set'], body), ...errors })
  if (kind.owners) rowOr404(kind.owners(caller.store), ownerId)
  refuseTaken(kind, caller, ownerId, values)
  const own = table.find({ resource_id: ownerId }).filter((row) => row.owner_client_id === caller.clientId)
  const most = kind.most ?? METAFIELDS_PER_OWNER
  if (own.length >= most) {
    refuseIfAny({ metafields: `A ${kind.resourceType} can have at most ${most} metafields per client` })
  }
  return table.insert({
    description: '',
    ...values,
    resource_type: kind.resourceType,
    resource_id: ownerId,
    owner_client_id: caller.clientId,
    date_created: now(),
    date_modified: now(),
  })
}

/** For each owner, a client has just one metafield per namespace and key. Another client may have the same. */
function refuseTaken(kind: MetafieldKind, caller: Caller, ownerId: number, values: Body, own?: Row): void {
  const { namespace, key } = { ...own, ...values } as { namespace?: unknown; key?: unknown }
  const rows = kind.table(caller.store).find({
    resource_id: ownerId,
    namespace: String(namespace),
    key: String(key),
  })
  const owner = own?.owner_client_id ?? caller.clientId
  if (!rows.some((row) => row.owner_client_id === owner && row.id !== own?.id)) return
  refuse(409, 'The metafield is a duplicate', { key: `${String(namespace)}.${String(key)} exists already` })
}

export function updateMetafield(kind: MetafieldKind, caller: Caller, metafield: Row, body: Body): Row {
  refuseForeign(caller, metafield, true)
  const { values, errors } = readFields(RULES, body)
  refuseIfAny(errors)
  refuseTaken(kind, caller, Number(metafield.resource_id), values, metafield)
  return kind.table(caller.store).update(metafield.id, { ...values, date_modified: now() })
}

export function deleteMetafield(kind: MetafieldKind, caller: Caller, metafield: Row): void {
  refuseForeign(caller, metafield, false)
  kind.table(caller.store).delete(metafield.id)
}

/** Other clients may change a metafield if its permission set allows it. They can never delete it. */
function refuseForeign(caller: Caller, metafield: Row, updating: boolean): void {
  if (metafield.owner_client_id === caller.clientId || caller.scopes.has(SEES_ALL)) return
  if (updating && WRITABLE_BY_OTHERS.includes(String(metafield.permission_set))) return
  refuse(403, 'The metafield belongs to another client')
}

export function visibleMetafield(kind: MetafieldKind, caller: Caller, id: number, belongsTo: Body = {}): Row {
  const table = kind.table(caller.store)
  const metafield = rowOr404(table, id, belongsTo)
  return isVisible(caller, metafield) ? metafield : rowOr404(table, Number.NaN)
}

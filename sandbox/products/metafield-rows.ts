import { refuse } from '../answers.ts'
import type { SandboxRequest } from '../resource.ts'
import type { Row } from '../store.ts'
import { refuseIfAny, rowOr404 } from './body-checks.ts'
import { now } from './dates.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from './field-rules.ts'
import { METAFIELDS_PER_PRODUCT } from './product-fields.ts'
import { productMetafieldTable, productTable } from './tables.ts'

type Body = Record<string, unknown>

/** The scope that shows every client's metafields, whatever their permission set. */
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

/** Another client's `app_only` metafield is as good as not there. */
export function isVisible(caller: Caller, metafield: Row): boolean {
  return (
    metafield.permission_set !== 'app_only' ||
    metafield.owner_client_id === caller.clientId ||
    caller.scopes.has(SEES_ALL)
  )
}

export function createMetafield(caller: Caller, productId: number, body: Body): Row {
  const table = productMetafieldTable(caller.store)
  const { values, errors } = readFields(RULES, body)
  refuseIfAny({ ...complaintsAboutMissing(['namespace', 'key', 'value', 'permission_set'], body), ...errors })
  rowOr404(productTable(caller.store), productId)
  refuseTaken(caller, productId, values)
  const own = table.find({ resource_id: productId }).filter((row) => row.owner_client_id === caller.clientId)
  if (own.length >= METAFIELDS_PER_PRODUCT) {
    refuseIfAny({ metafields: `A product can have at most ${METAFIELDS_PER_PRODUCT} metafields per client` })
  }
  return table.insert({
    description: '',
    ...values,
    resource_type: 'product',
    resource_id: productId,
    owner_client_id: caller.clientId,
    date_created: now(),
    date_modified: now(),
  })
}

/** One client has one metafield of a namespace and key per product; another client may have the same. */
function refuseTaken(caller: Caller, productId: number, values: Body, own?: Row): void {
  const { namespace, key } = { ...own, ...values } as { namespace?: unknown; key?: unknown }
  const rows = productMetafieldTable(caller.store).find({
    resource_id: productId,
    namespace: String(namespace),
    key: String(key),
  })
  const owner = own?.owner_client_id ?? caller.clientId
  if (!rows.some((row) => row.owner_client_id === owner && row.id !== own?.id)) return
  refuse(409, 'The metafield is a duplicate', { key: `${String(namespace)}.${String(key)} exists already` })
}

export function updateMetafield(caller: Caller, metafield: Row, body: Body): Row {
  refuseForeign(caller, metafield, true)
  const { values, errors } = readFields(RULES, body)
  refuseIfAny(errors)
  refuseTaken(caller, Number(metafield.resource_id), values, metafield)
  return productMetafieldTable(caller.store).update(metafield.id, { ...values, date_modified: now() })
}

export function deleteMetafield(caller: Caller, metafield: Row): void {
  refuseForeign(caller, metafield, false)
  productMetafieldTable(caller.store).delete(metafield.id)
}

/** Others may change a metafield when its permission set says so, and may never delete it. */
function refuseForeign(caller: Caller, metafield: Row, updating: boolean): void {
  if (metafield.owner_client_id === caller.clientId || caller.scopes.has(SEES_ALL)) return
  if (updating && WRITABLE_BY_OTHERS.includes(String(metafield.permission_set))) return
  refuse(403, 'The metafield belongs to another client')
}

export function visibleMetafield(caller: Caller, id: number, belongsTo: Body = {}): Row {
  const metafield = rowOr404(productMetafieldTable(caller.store), id, belongsTo)
  return isVisible(caller, metafield) ? metafield : rowOr404(productMetafieldTable(caller.store), Number.NaN)
}

import { refuse } from '../../http/answers.ts'
import { numbersIn, pageOf, paginationMeta, textsIn } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { numberParam, objectBody, refuseIfAny, refuseOversize, rowOr404, rowsIn } from '../../validation/body-checks.ts'
import { type FieldRules, readFields } from '../../validation/field-rules.ts'
import { itemNamed } from './item-identity.ts'
import { rememberStock, shownStock } from './late-stock.ts'
import { locationTable } from './location-rows.ts'
import { type InventoryItem, inventoryItems, pageOfItems, type RowOf, setSettings, stockRowsOf } from './stock.ts'
import { transactionAnswer } from './transaction.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_inventory'
const ITEMS = '/v3/inventory/items'
const AT_LOCATION = '/v3/inventory/locations/:locationId/items'
const MOST_PER_PAGE = 1_000
const LARGEST_BATCH = 2_000

const SETTINGS: FieldRules = {
  safety_stock: { kind: 'integer', min: 0 },
  is_in_stock: { kind: 'boolean' },
  warning_level: { kind: 'integer', min: 0 },
  bin_picking_number: { kind: 'text', max: 255 },
}
/**
 * The settings of an item must include one of these. Source: the 422 of the published call, whose list leaves out the
 * bin.
 */
const REQUIRED_SETTINGS = ['warning_level', 'is_in_stock', 'safety_stock']

function page({ store, query }: SandboxRequest, show: (item: InventoryItem, rowOf: RowOf) => Body): SandboxAnswer {
  const variantIds = numbersIn(query, 'variant_id:in')
  const productIds = numbersIn(query, 'product_id:in')
  const where = { ...(variantIds ? { id: variantIds } : {}), ...(productIds ? { product_id: productIds } : {}) }
  const skus = textsIn(query, 'sku:in')?.map((sku) => sku.toLowerCase())
  const at = pageOf(query, MOST_PER_PAGE)
  const { items, total } =
    variantIds || productIds || skus ? pageOfSome(inventoryItems(store, where), skus, at) : pageOfItems(store, at)
  const rowOf = stockRowsOf(store, items)
  const data = items.map((item) => show(item, rowOf))
  return { status: 200, body: { data, meta: paginationMeta(query, at, data.length, total) } }
}

function pageOfSome(some: InventoryItem[], skus: string[] | undefined, at: { offset: number; limit: number }) {
  const items = some.filter(({ identity }) => skus?.includes(String(identity.sku).toLowerCase()) ?? true)
  return { items: items.slice(at.offset, at.offset + at.limit), total: items.length }
}

/** `available_to_sell` is the stock minus the safety stock, but at least 0. */
function levels(store: SandboxStore, item: InventoryItem, location: Row, rowOf: RowOf): Body {
  const { quantity, settings } = shownStock(store, item, location.id, rowOf)
  const onHand = quantity ?? 0
  return {
    available_to_sell: Math.max(0, onHand - settings.safety_stock),
    total_inventory_onhand: onHand,
    settings,
  }
}

function listAll(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const ids = numbersIn(query, 'location_id:in')
  const codes = textsIn(query, 'location_code:in')
  const where = { ...(ids ? { id: ids } : {}), ...(codes ? { code_key: codes } : {}) }
  const locations = locationTable(store).find(where)
  return page(request, (item, rowOf) => ({
    identity: item.identity,
    locations: locations.map((location) => ({
      location_id: location.id,
      location_code: location.code,
      location_name: location.label,
      location_enabled: location.enabled,
      ...levels(store, item, location, rowOf),
    })),
  }))
}

function listAtLocation(request: SandboxRequest): SandboxAnswer {
  const location = namedLocation(request)
  return page(request, (item, rowOf) => {
    const { sku_id: _skuId, ...identity } = item.identity
    return { identity, ...levels(request.store, item, location, rowOf) }
  })
}

function namedLocation(request: SandboxRequest): Row {
  return rowOr404(locationTable(request.store), numberParam(request, 'locationId'))
}

function putSettings(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const location = namedLocation(request)
  const rows = rowsIn(objectBody(request.body), 'settings')
  refuseOversize(rows, LARGEST_BATCH)
  return store.transaction(() => {
    for (const [index, row] of rows.entries()) {
      const { values, errors } = readFields(SETTINGS, row)
      refuseIfAny(
        Object.fromEntries(Object.entries(errors).map(([field, text]) => [`setting.${index}.${field}`, text])),
      )
      refuseSilence(values, index)
      const item = itemNamed(store, objectBody(row.identity))
      rememberStock(store, item, location.id)
      setSettings(store, item, location.id, values)
    }
    return transactionAnswer(store)
  })
}

function refuseSilence(values: Body, index: number): void {
  if (REQUIRED_SETTINGS.some((name) => values[name] !== undefined)) return
  refuse(422, 'Payload contains invalid fields', {
    [`setting.${index}.settings`]: `At least one setting must be specified: ${REQUIRED_SETTINGS.join(', ')}`,
  })
}

export const inventoryItemLists: SandboxResource = {
  key: 'inventory-items',
  routes: [
    { method: 'GET', path: ITEMS, scope: SCOPE, latency: 'read', handle: listAll },
    { method: 'GET', path: AT_LOCATION, scope: SCOPE, latency: 'read', handle: listAtLocation },
    { method: 'PUT', path: AT_LOCATION, scope: SCOPE, latency: 'write', handle: putSettings },
  ],
}

import { refuse } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { objectBody, refuseIfAny, refuseOversize, rowsIn } from '../../validation/body-checks.ts'
import { type FieldRules, readFields } from '../../validation/field-rules.ts'
import { itemNamed, nameOf } from './item-identity.ts'
import { rememberStock } from './late-stock.ts'
import { locationTable } from './location-rows.ts'
import { type InventoryItem, setQuantity, stockOf } from './stock.ts'
import { transactionAnswer } from './transaction.ts'

type Body = Record<string, unknown>
/** Calculates the quantity after the adjustment. */
type Reckon = (row: Body, before: number | null) => number

const SCOPE = 'store_inventory'
const LARGEST_BATCH = 2_000
const MOST = 2_147_483_647

const RULES: FieldRules = {
  location_id: { kind: 'integer', min: 1 },
  quantity: { kind: 'integer', min: -MOST, max: MOST },
}

/** One invalid item fails the call (our choice: the published 422 lists no saved items). */
function adjust({ store, body }: SandboxRequest, reckon: Reckon): SandboxAnswer {
  const given = objectBody(body)
  const rows = rowsIn(given, 'items')
  refuseIfAny(readFields({ reason: { kind: 'text' } }, given).errors)
  if (rows.length === 0) refuseIfAny({ items: 'items must not be empty' })
  refuseOversize(rows, LARGEST_BATCH)
  return store.transaction(() => {
    for (const [index, row] of rows.entries()) {
      refuseIfAny(complaintsAbout(row, index))
      const locationId = Number(row.location_id)
      if (!locationTable(store).get(locationId)) refuse(422, `There is no location ${locationId}`)
      const item: InventoryItem = itemNamed(store, row)
      rememberStock(store, item, locationId)
      setQuantity(store, item, locationId, inRange(row, reckon(row, stockOf(store, item, locationId).quantity)))
    }
    return transactionAnswer(store, given.reason)
  })
}

function complaintsAbout(row: Body, index: number): Record<string, string> {
  const missing = Object.keys(RULES).filter((field) => row[field] === undefined)
  const errors = {
    ...Object.fromEntries(missing.map((field) => [field, `${field} is required`])),
    ...readFields(RULES, row).errors,
  }
  return Object.fromEntries(Object.entries(errors).map(([field, text]) => [`items.${index}.${field}`, text]))
}

function inRange(row: Body, quantity: number): number {
  if (quantity < 0 || quantity > MOST) refuse(422, `The stock of the item with ${nameOf(row)} would be ${quantity}`)
  return quantity
}

const absolute: Reckon = (row) => Number(row.quantity)

/** A relative change needs a level to start from. Source: the 422 of the published relative adjustment. */
const relative: Reckon = (row, before) => {
  if (Number(row.quantity) === 0) refuse(422, `Items with identity: [${nameOf(row)}] cannot be adjusted by 0`)
  if (before === null) refuse(422, `Items with identity: [${nameOf(row)}] requires absolute adjustment before relative`)
  return Number(before) + Number(row.quantity)
}

export const inventoryAdjustments: SandboxResource = {
  key: 'inventory-adjustments',
  routes: [
    {
      method: 'PUT',
      path: '/v3/inventory/adjustments/absolute',
      scope: SCOPE,
      latency: 'write',
      handle: (request) => adjust(request, absolute),
    },
    {
      method: 'POST',
      path: '/v3/inventory/adjustments/relative',
      scope: SCOPE,
      latency: 'write',
      handle: (request) => adjust(request, relative),
    },
  ],
}

import { Refusal, v2Error } from '../../http/answers.ts'
import { v2Link } from '../../http/v2-body.ts'
import type { SandboxStore } from '../../store/store.ts'
import { productTable } from '../../tables/product-tables.ts'
import { rememberStock } from '../inventory/late-stock.ts'
import { DEFAULT_LOCATION_ID } from '../inventory/location-rows.ts'
import { inventoryItems, setQuantity, stockOf } from '../inventory/stock.ts'

type Line = Record<string, unknown>
type Complaint = 'OutOfStock' | 'InsufficientQuantity' | 'ExceedsMaxQuantity'

/**
 * Answers 409 to an order for more than is in stock, or for fewer or more than the product allows. With the switch
 * `refused_orders_take_stock`, the lines before the first bad one still take their stock.
 */
export function refuseWhatIsNotForSale(store: SandboxStore, lines: Line[]): void {
  if (store.switches.order_stock === 'cut') return
  const complaints = lines.map((line) => complaintAbout(store, line, quantityOf(lines, line)))
  const first = complaints.findIndex((complaint) => complaint !== undefined)
  if (first < 0) return
  if (store.switches.refused_orders_take_stock === true)
    for (const line of lines.slice(0, first)) takeFromStock(store, line)
  const errors = complaints.flatMap((type, at) =>
    type ? [{ type, product: refusedProduct(store, lines[at] ?? {}, type) }] : [],
  )
  throw new Refusal(
    v2Error(409, 'Quantities of one or more products are out of stock or did not meet quantity requirements.', {
      errors,
    }),
  )
}

/** The total quantity of all lines with the same product and variant. */
function quantityOf(lines: Line[], { product_id, variant_id }: Line): number {
  const same = lines.filter((line) => line.product_id === product_id && line.variant_id === variant_id)
  return same.reduce((sum, { quantity }) => sum + Number(quantity), 0)
}

function complaintAbout(store: SandboxStore, line: Line, quantity: number): Complaint | undefined {
  const product = productTable(store).get(Number(line.product_id))
  if (!product) return undefined
  const { order_quantity_minimum, order_quantity_maximum } = product
  if (quantity < Number(order_quantity_minimum ?? 0)) return 'InsufficientQuantity'
  if (Number(order_quantity_maximum ?? 0) > 0 && quantity > Number(order_quantity_maximum)) return 'ExceedsMaxQuantity'
  const item = itemOf(store, line)
  return item && Number(stockOf(store, item, DEFAULT_LOCATION_ID).quantity ?? 0) < quantity ? 'OutOfStock' : undefined
}

/** What the refusal says about the product: its stock, or the quantities that it allows. */
function refusedProduct(store: SandboxStore, line: Line, complaint: Complaint): Record<string, unknown> {
  const product = productTable(store).get(Number(line.product_id))
  const item = itemOf(store, line)
  const limits = {
    OutOfStock: { inventory_level: item ? stockOf(store, item, DEFAULT_LOCATION_ID).quantity : 0 },
    InsufficientQuantity: { minimum_quantity: product?.order_quantity_minimum },
    ExceedsMaxQuantity: { maximum_quantity: product?.order_quantity_maximum },
  }
  return { id: line.product_id, name: product?.name, ...limits[complaint], ...v2Link(`/products/${line.product_id}`) }
}

function itemOf(store: SandboxStore, { product_id, variant_id }: Line) {
  if (Number(product_id) === 0) return undefined
  return (
    inventoryItems(store, { id: Number(variant_id) })[0] ??
    inventoryItems(store, { product_id: Number(product_id) }).find(({ variant }) => variant === undefined)
  )
}

/** Reduces tracked stock, but not below 0. */
export function takeFromStock(store: SandboxStore, line: Line): void {
  const item = itemOf(store, line)
  if (!item || store.switches.orders_move_stock === false) return
  rememberStock(store, item, DEFAULT_LOCATION_ID)
  const left = Number(stockOf(store, item, DEFAULT_LOCATION_ID).quantity ?? 0) - Number(line.quantity)
  setQuantity(store, item, DEFAULT_LOCATION_ID, Math.max(0, left))
}

import type { Row, SandboxStore } from '../../store/store.ts'
import { customerTable } from '../../tables/customer-tables.ts'
import { variantTable } from '../../tables/product-tables.ts'
import { insertWishlist } from '../../tables/wishlist-tables.ts'

/** One in this many customers has a wishlist. */
const ONE_OF = 3
const CUSTOMERS_AT_ONCE = 500
/** The variants on wishlists. */
const WISHED = { offset: 0, limit: 8 }

/** Adds lists of a few variants. Some are public, and some customers have an empty second one. */
export function seedWishlists(store: SandboxStore): void {
  const variants = variantTable(store).page(WISHED).rows
  store.transaction(() => {
    let n = 0
    for (const { id } of everyCustomer(store)) {
      if (n % ONE_OF === 1) seedOf(store, id, (n - 1) / ONE_OF, variants)
      n++
    }
  })
}

function seedOf(store: SandboxStore, customer_id: number, n: number, variants: Row[]): void {
  const items = [variants[n % variants.length], variants[(n + 7) % variants.length]].flatMap((variant) =>
    variant ? [{ product_id: Number(variant.product_id), variant_id: variant.id }] : [],
  )
  insertWishlist(store, { customer_id, name: 'For later', is_public: n % 3 === 1 }, items)
  if (n % 2 === 1) insertWishlist(store, { customer_id, name: 'Birthday' }, [])
}

export function* everyCustomer(store: SandboxStore): Generator<Row> {
  for (let minId = 0; ; ) {
    const { rows } = customerTable(store).page({ minId, offset: 0, limit: CUSTOMERS_AT_ONCE })
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    minId = last.id + 1
  }
}

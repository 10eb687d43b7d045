import type { SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { productTable, reviewTable } from '../../tables/product-tables.ts'
import { refuseIfAny } from '../../validation/body-checks.ts'
import { now } from '../../validation/dates.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { productChildRoutes } from './product-child.ts'

const RULES: FieldRules = {
  title: { kind: 'text', min: 1, max: 255 },
  text: { kind: 'text' },
  status: { kind: 'text', oneOf: ['approved', 'disapproved', 'pending'] },
  rating: { kind: 'integer', min: 0, max: 5 },
  email: { kind: 'text' },
  name: { kind: 'text', max: 255 },
  date_reviewed: { kind: 'date' },
}

function save(store: SandboxStore, product: Row, body: Record<string, unknown>, own?: Row): Row {
  const { values, errors } = readFields(RULES, body)
  refuseIfAny({ ...(own ? {} : complaintsAboutMissing(['title', 'date_reviewed'], body)), ...errors })
  if (values.email && !/^\S+@\S+$/.test(String(values.email)))
    refuseIfAny({ email: 'email must be empty or an address' })
  if (own) return reviewTable(store).update(own.id, { ...values, date_modified: now() })
  const fresh = { text: '', status: 'pending', rating: 0, email: '', name: '' }
  const dates = { date_created: now(), date_modified: now() }
  return reviewTable(store).insert({ product_id: product.id, ...fresh, ...values, ...dates })
}

/** Updates the product's numbers, which only count approved reviews. */
function countIntoProduct(store: SandboxStore, productId: number): void {
  const approved = reviewTable(store)
    .find({ product_id: productId })
    .filter((row) => row.status === 'approved')
  productTable(store).update(productId, {
    reviews_count: approved.length,
    reviews_rating_sum: approved.reduce((sum, row) => sum + Number(row.rating), 0),
  })
}

/** The filter of the list has numbers for the statuses. */
const STATUS_OF_NUMBER: Record<string, string> = { 1: 'approved', 0: 'pending' }

function keep(query: URLSearchParams): ((row: Row) => boolean) | undefined {
  const status = query.get('status')
  return status === null ? undefined : (row) => row.status === STATUS_OF_NUMBER[status]
}

export const reviews: SandboxResource = {
  key: 'reviews',
  routes: productChildRoutes({
    path: 'reviews',
    table: reviewTable,
    shown: (row) => row,
    save,
    afterWrite: countIntoProduct,
    keep,
    emptyIsNoContent: true,
  }),
}

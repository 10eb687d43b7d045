import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import type { Pass } from '../core/pass.ts'
import type { References } from '../core/references.ts'

const key = 'product-customs-information'
const path = '/v3/shipping/products/customs-information'
/** Source: the published shipping specification. */
const batch = 50

/** A product has at most one; the product's id is its only key. */
function customsDraft(item: PlatformItem, references: References): Draft {
  const { product_id, created_at: _c, updated_at: _u, ...rest } = item
  const product = references.need('products', product_id)
  return draft(
    key,
    product_id,
    { ...rest, product_id: product },
    { keys: [`product:${product}`], parentId: String(product) },
  )
}

/** The call overwrites, so it is safe to repeat. One refused row fails the whole call. */
export const customsInformation: Component = {
  key,
  label: 'Customs information',
  data: 'catalogue',
  recovery: 'resend',
  naturalKey: 'product',
  destinationOwned: [],
  carried: false,
  create: {
    batch,
    call: (desired) => ({ method: 'PUT', path, body: desired.map((one) => one.draft.body) }),
    results: (_status, _body, desired) => desired.map((one) => ({ saved: one.body })),
  },
  update: { call: (desired) => ({ method: 'PUT', path, body: [desired.body] }) },
  remove: { call: (existing) => ({ method: 'DELETE', path, query: { 'product_id:in': existing.id } }) },
  callsPerItem: { write: 1 / batch },
}

export const customsInformationPass: Pass = {
  key,
  label: 'Customs information',
  root: key,
  below: 'products',
  source: { path, kind: 'staged', limit: 250, idField: 'product_id' },
  destination: { path, kind: 'staged', limit: 250, idField: 'product_id', complete: true },
  lookUpById: { idsParameter: 'product_id:in' },
  drafts: customsDraft,
}

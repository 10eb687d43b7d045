import { itemsIn } from '../../bigcommerce/pages.ts'
import { numberOf } from '../../model/destination-id.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import { draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { identity, type References } from '../core/references.ts'
import { savedByKey } from '../core/saved-by-key.ts'

const path = '/v3/customers/attributes'
/** A store has at most fifty attributes; the platform documents no batch limit. */
const batch = 10

function attributeDraft(item: PlatformItem, _references: References) {
  const { id, date_created: _c, date_modified: _m, ...body } = item
  const name = String(item.name ?? '')
  const called = name.trim().toLowerCase()
  // The type is fixed, so one of another type is another attribute.
  return draft('customer-attributes', id, body, { keys: [`typed:${item.type}/${called}`, `name:${called}`], name })
}

const attribute: Component = {
  key: 'customer-attributes',
  label: 'Customer attributes',
  limits: { fields: { name: { required: true, longest: 255 } } },
  data: 'catalogue',
  recovery: 'key',
  naturalKey: 'name, capitals aside, and type',
  uniqueFields: ['name'],
  destinationOwned: [],
  carried: false,
  create: {
    batch,
    call: (desired) => ({ method: 'POST', path, body: desired.map((one) => one.draft.body) }),
    results: (_status, body, desired) => savedByKey(body, desired, { read: (item) => attributeDraft(item, identity) }),
  },
  update: {
    // The type is fixed: the platform refuses a different one with an error.
    call: (desired, existing, _parentId, fields) => ({
      method: 'PUT',
      path,
      body: [{ id: numberOf(existing.id), name: desired.body.name, ...chosenFields(desired.body, fields) }],
    }),
  },
  remove: { call: (existing) => ({ method: 'DELETE', path, query: { 'id:in': existing.id } }) },
  probe: async (client, _sought) => {
    const items = itemsIn<PlatformItem>(await client.get(path, { limit: 250 }), path)
    return items.map((item) => attributeDraft(item, identity))
  },
  callsPerItem: { write: 1 / batch },
}

const reading = { path, kind: 'staged', limit: 250, idField: 'id' } as const

export const customerAttributes = defineEntity({
  key: 'customer-attributes',
  label: 'Customer attributes',
  group: 'customers',
  after: [],
  scope: 'store',
  prune: 'allowed',
  components: [attribute],
  notMoved: [],
  passes: [
    {
      key: 'customer-attributes',
      label: 'Customer attributes',
      root: 'customer-attributes',
      source: reading,
      destination: { ...reading, complete: true },
      drafts: attributeDraft,
    },
  ],
})

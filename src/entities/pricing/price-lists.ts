import { itemsIn } from '../../bigcommerce/pages.ts'
import type { Probe } from '../core/calls.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { priceAssignment, priceAssignments } from './price-list-assignments.ts'
import { priceRecord, priceRecords } from './price-records.ts'

const path = '/v3/pricelists'

function listDraft({ id, date_created: _c, date_modified: _m, ...rest }: PlatformItem): Draft {
  const name = String(rest.name ?? '')
  return draft('price-lists', id, rest, { keys: [`name:${name.trim().toLowerCase()}`], name })
}

const probe: Probe = async (client, { keys }) => {
  const found: Draft[] = []
  for (const key of keys.flat()) {
    const answer = await client.get(path, { name: key.slice('name:'.length), limit: 50 })
    found.push(...itemsIn<PlatformItem>(answer, path).map(listDraft))
  }
  return found
}

const priceList: Component = {
  key: 'price-lists',
  label: 'Price lists',
  data: 'catalogue',
  recovery: 'key',
  naturalKey: 'name, capitals aside',
  uniqueFields: ['name'],
  destinationOwned: [],
  carried: false,
  create: { batch: 1, call: ([only]) => ({ method: 'POST', path, body: only?.draft.body }) },
  update: {
    call: (desired, existing, _parentId, fields) => ({
      method: 'PUT',
      path: `${path}/${existing.id}`,
      body: { name: desired.body.name, ...chosenFields(desired.body, fields) },
    }),
  },
  remove: { call: (existing) => ({ method: 'DELETE', path: `${path}/${existing.id}` }) },
  probe,
  callsPerItem: { write: 1 },
}

export const priceLists = defineEntity({
  key: 'price-lists',
  label: 'Price lists',
  group: 'catalog',
  after: ['products'],
  scope: 'store',
  prune: 'allowed',
  components: [priceList, priceRecord, priceAssignment],
  notMoved: [],
  passes: [
    {
      key: 'price-lists',
      label: 'Price lists',
      root: 'price-lists',
      source: { path, kind: 'staged', byCursor: true, limit: 250, idField: 'id' },
      picks: { idsParameter: 'id:in' },
      destination: { path, kind: 'staged', byCursor: true, limit: 250, idField: 'id', complete: true },
      changedSince: 'date_modified:min',
      drafts: listDraft,
    },
    priceRecords,
    priceAssignments,
  ],
})

import { offsetPages } from '../../bigcommerce/pages.ts'
import { numberOf } from '../../model/destination-id.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import type { Reading } from '../core/reading.ts'

const path = '/v3/inventory/locations'

const reading: Reading = { path, kind: 'staged', limit: 1000, idField: 'id' }

/** Every store has a default location with this id, and cannot delete it. The source's maps to the destination's. */
const isDefaultLocation = (id: unknown) => Number(id) === 1

/** The platform documents no batch limit. */
const batch = 10

function locationDraft(item: PlatformItem): Draft {
  const { id, created_at: _created, updated_at: _updated, code, ...rest } = item
  const isDefault = isDefaultLocation(id)
  const body = isDefault ? rest : { ...rest, code }
  return draft('locations', id, body, {
    keys: [isDefault ? 'default' : `code:${String(code).trim().toLowerCase()}`],
    name: String(item.label ?? code),
  })
}

export const locations = defineEntity({
  key: 'locations',
  label: 'Locations',
  group: 'settings',
  after: [],
  scope: 'store',
  scopes: [{ scope: 'store_locations', below: [path], probe: { path, query: { limit: 1 } } }],
  prune: 'allowed',
  components: [
    {
      key: 'locations',
      label: 'Locations',
      data: 'catalogue',
      recovery: 'key',
      naturalKey: 'code, capitals aside; the default location: being it',
      // Each store has an address of its own.
      destinationOwned: ['address'],
      carried: false,
      create: {
        batch,
        call: (drafts) => ({ method: 'POST', path, body: drafts.map((one) => one.draft.body) }),
        // The response to an accepted call is just a transaction id.
        results: (_status, _body, drafts) => drafts.map(() => ({ lookFor: true })),
      },
      update: {
        call: (desired, existing, _parentId, fields) => ({
          method: 'PUT',
          path,
          body: [{ id: numberOf(existing.id), ...chosenFields(desired.body, fields) }],
        }),
      },
      remove: { call: (existing) => ({ method: 'DELETE', path, query: { 'location_id:in': existing.id } }) },
      probe: async (client) => {
        const found: Draft[] = []
        for await (const { items } of offsetPages<PlatformItem>(client, path, {}, { limit: reading.limit }))
          found.push(...items.map(locationDraft))
        return found
      },
      callsPerItem: { write: 1 / batch },
    },
  ],
  notMoved: [
    { what: 'stock of a location', why: 'levels of stock are copied with their products' },
    { what: 'metafields and pickup methods of a location', why: 'not moved yet' },
  ],
  passes: [
    {
      key: 'locations',
      label: 'Locations',
      root: 'locations',
      source: reading,
      destination: { ...reading, complete: true, neverEmpty: true },
      lookUpById: { idsParameter: 'location_id:in' },
      protects: ({ id }) => isDefaultLocation(id),
      drafts: locationDraft,
    },
  ],
})

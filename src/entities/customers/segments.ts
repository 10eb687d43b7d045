import { completePages } from '../../bigcommerce/complete-pages.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import type { Reading } from '../core/reading.ts'
import { identity, type References } from '../core/references.ts'
import { savedByKey } from '../core/saved-by-key.ts'
import { segmentMember, segmentMembers, shopperProfile, shopperProfiles } from './segment-members.ts'
import { segmentsPath as path, profilesPath, whereOffered } from './where-offered.ts'

/** Our choice: the published segments specification documents a limit of 50 for profiles, but none for segments. */
const batch = 50

const everySegment = whereOffered(completePages, profilesPath)
const reading: Reading = { path, kind: 'staged', limit: 250, idField: 'id', pages: everySegment }

function segmentDraft(item: PlatformItem, _references: References): Draft {
  const { id, created_at: _created, updated_at: _updated, ...body } = item
  const name = String(item.name ?? '')
  return draft('segments', id, body, { keys: [`name:${name.trim().toLowerCase()}`], name })
}

const segment: Component = {
  key: 'segments',
  label: 'Segments',
  data: 'catalogue',
  recovery: 'key',
  naturalKey: 'name, capitals aside',
  uniqueFields: ['name'],
  destinationOwned: [],
  carried: false,
  create: {
    batch,
    call: (desired) => ({ method: 'POST', path, body: desired.map((one) => one.draft.body) }),
    results: (_status, body, desired) => savedByKey(body, desired, { read: (item) => segmentDraft(item, identity) }),
  },
  update: {
    call: (desired, existing, _parentId, fields) => ({
      method: 'PUT',
      path,
      body: [{ id: existing.id, ...chosenFields(desired.body, fields) }],
    }),
    several: {
      batch,
      call: (corrections) => ({
        method: 'PUT',
        path,
        body: corrections.map(({ desired, existing, fields }) => ({
          id: existing.id,
          ...chosenFields(desired.body, fields),
        })),
      }),
    },
  },
  remove: { call: ({ id }) => ({ method: 'DELETE', path, query: { 'id:in': id } }) },
  probe: async (client) => {
    const found: Draft[] = []
    for await (const { items } of everySegment(client, path, {}, {}))
      found.push(...items.map((item) => segmentDraft(item, identity)))
    return found
  },
  callsPerItem: { write: 1 / batch },
}

export const segments = defineEntity({
  key: 'segments',
  label: 'Segments',
  group: 'customers',
  after: ['customers'],
  scope: 'store',
  prune: 'allowed',
  scopes: [
    {
      scope: 'store_v2_customers',
      below: ['/v3/segments', '/v3/shopper-profiles'],
      probe: { path: '/v3/customers', query: { limit: 1 } },
    },
  ],
  components: [segment, shopperProfile, segmentMember],
  notMoved: [
    {
      what: 'segments of a store whose plan has them, to one whose plan has not',
      why: 'the platform refuses each, which is reported',
    },
  ],
  passes: [
    {
      key: 'segments',
      label: 'Segments',
      root: 'segments',
      source: reading,
      destination: { ...reading, complete: true },
      lookUpById: { idsParameter: 'id:in' },
      drafts: segmentDraft,
    },
    shopperProfiles,
    segmentMembers,
  ],
})

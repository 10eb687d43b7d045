import { titleOf } from '../../bigcommerce/errors.ts'
import { v2Pages } from '../../bigcommerce/pages.ts'
import { numberOf } from '../../model/destination-id.ts'
import type { WriteResult } from '../core/calls.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import type { Reading } from '../core/reading.ts'
import { rowsByDraft } from '../core/saved-by-key.ts'

const path = '/v2/tax_classes'
const writtenAt = '/v3/tax/classes'

/** The platform accepts no larger batch. Source: the published tax class limits. */
const batch = 50

const reading: Reading = { path, kind: 'staged', limit: 250, idField: 'id' }

/** A class is only a name; its rates are in the tax zones. */
function classDraft({ id, name }: PlatformItem): Draft {
  const called = String(name ?? '')
  return draft('tax-classes', id, { name }, { keys: [`name:${called.trim().toLowerCase()}`], name: called })
}

export const taxClasses = defineEntity({
  key: 'tax-classes',
  label: 'Tax classes',
  group: 'settings',
  after: [],
  scope: 'store',
  prune: 'allowed',
  components: [
    {
      key: 'tax-classes',
      label: 'Tax classes',
      data: 'catalogue',
      recovery: 'key',
      naturalKey: 'name, capitals aside',
      uniqueFields: ['name'],
      shared: true,
      destinationOwned: [],
      carried: false,
      create: {
        batch,
        call: (drafts) => ({ method: 'POST', path: writtenAt, body: drafts.map((one) => one.draft.body) }),
        results: savedByName,
      },
      update: {
        call: (desired, existing) => ({
          method: 'PUT',
          path: writtenAt,
          body: [{ id: numberOf(existing.id), name: desired.body.name }],
        }),
      },
      probe: async (client) => {
        const found: Draft[] = []
        for await (const { items } of v2Pages<PlatformItem>(client, path)) found.push(...items.map(classDraft))
        return found
      },
      callsPerItem: { write: 1 / batch },
    },
  ],
  notMoved: [],
  passes: [
    {
      key: 'tax-classes',
      label: 'Tax classes',
      root: 'tax-classes',
      source: reading,
      destination: { ...reading, complete: true },
      lookUpById: { address: (id) => `${path}/${id}` },
      drafts: classDraft,
    },
  ],
})

function savedByName(_status: number, body: unknown, drafts: Draft[]): WriteResult[] {
  const rows = rowsByDraft(body, drafts, { read: classDraft })
  const title = titleOf(body)
  return drafts.map((desired) => {
    const item = rows.get(desired)
    if (item) return { saved: item }
    return title === '' ? { lookFor: true } : { refused: { title, errors: {} } }
  })
}

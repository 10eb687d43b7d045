import { itemsIn } from '../../bigcommerce/pages.ts'
import type { Component } from '../core/component.ts'
import { draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { linkedFields, linkedJson } from '../core/links.ts'
import type { Lister } from '../core/reading.ts'
import { identity, type References } from '../core/references.ts'

const path = '/v3/marketing/email-templates'

const texts = ['body', 'translations']

/** Every store has exactly one template of each type, so none is ever created. */
function templateDraft(item: PlatformItem, references: References) {
  const type = String(item.type_id)
  const body = {
    ...item,
    ...linkedFields(item, ['body'], references),
    ...('translations' in item && { translations: linkedJson(item.translations, references) }),
  }
  return draft('email-templates', type, body, { keys: [`template:${type}`], name: type })
}

/** This list is not paginated. */
const all: Lister = async function* (client, _path, query, { signal }) {
  const items = itemsIn<PlatformItem>(await client.get(path, query, { signal }), path)
  yield { items, total: items.length, read: items.length }
}

const template: Component = {
  key: 'email-templates',
  label: 'Email templates',
  data: 'catalogue',
  recovery: 'resend',
  naturalKey: 'type',
  destinationOwned: [],
  carried: false,
  create: {
    batch: 1,
    call: ([only]) => ({ method: 'PUT', path: `${path}/${only?.draft.id}`, body: only?.draft.body }),
  },
  // A PUT replaces the whole template.
  update: { call: (desired) => ({ method: 'PUT', path: `${path}/${desired.body.type_id}`, body: desired.body }) },
  probe: async (client) => {
    const items = itemsIn<PlatformItem>(await client.get(path), path)
    return items.map((item) => templateDraft(item, identity))
  },
  callsPerItem: { write: 1 },
}

const reading = { path, kind: 'staged', limit: 250, idField: 'type_id', pages: all } as const

export const emailTemplates = defineEntity({
  key: 'email-templates',
  label: 'Email templates',
  group: 'storefront',
  after: ['products'],
  scope: 'store',
  prune: 'never',
  components: [template],
  notMoved: [
    {
      what: 'templates of a single storefront',
      why: 'the platform does not say whether a storefront has one of its own or shows that of the store',
    },
    { what: 'series of letters about abandoned carts', why: 'not moved yet' },
  ],
  passes: [
    {
      key: 'email-templates',
      label: 'Email templates',
      root: 'email-templates',
      source: reading,
      destination: { ...reading, complete: true },
      // A storefront run leaves out what belongs to the whole store.
      storefront: () => null,
      texts,
      drafts: templateDraft,
    },
  ],
})

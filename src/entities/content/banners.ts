import type { Component } from '../core/component.ts'
import { draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { linked } from '../core/links.ts'
import { identity, type References } from '../core/references.ts'

const path = '/v2/banners'

/**
 * Kinds of pages that each show one item, with the item's component. Source: `page` and `item_id` of the published
 * banner.
 */
const shownWith: Record<string, string> = { category_page: 'categories', brand_page: 'brands' }

/** In place of an id: all pages of that kind. */
const everywhere = 0

function bannerDraft(item: PlatformItem, references: References) {
  const { id, date_created: _created, ...rest } = item
  const body = { ...rest, content: linked(rest.content, references), item_id: targetOf(rest, references) }
  const name = String(item.name ?? '')
  return draft('banners', id, body, {
    keys: [`banner:${item.page}/${body.item_id}/${item.location}/name:${name.trim().toLowerCase()}`],
    name,
  })
}

/** The platform returns numbers as strings here. */
function targetOf({ page, item_id }: PlatformItem, references: References): unknown {
  const component = shownWith[String(page)]
  const isOne = component !== undefined && Number(item_id ?? everywhere) !== everywhere
  return isOne ? String(references.need(component, item_id)) : item_id
}

const read = (item: PlatformItem) => bannerDraft(item, identity)

const banner: Component = {
  key: 'banners',
  label: 'Banners',
  data: 'catalogue',
  recovery: 'baseline',
  naturalKey: 'page, place on it and name, capitals aside',
  sharesKeys: true,
  accepts: [...['name', 'content', 'page', 'location', 'date_type', 'date_from'], ...['date_to', 'visible', 'item_id']],
  destinationOwned: [],
  carried: false,
  create: { batch: 1, call: ([only]) => ({ method: 'POST', path, body: only?.draft.body }) },
  update: {
    // Every PUT must contain all required fields, so the whole body is sent.
    call: (desired, existing) => ({ method: 'PUT', path: `${path}/${existing.id}`, body: desired.body }),
  },
  // A DELETE of one id: on the list it would delete all banners.
  remove: { call: (existing) => ({ method: 'DELETE', path: `${path}/${existing.id}` }) },
  probe: async (client) => {
    const found: PlatformItem[] = []
    for (let after = 0; ; ) {
      const { body } = await client.get<PlatformItem[] | undefined>(path, { min_id: after + 1, limit: 250 })
      if (!body || body.length === 0) return found.map(read)
      found.push(...body)
      after = Math.max(...body.map(({ id }) => Number(id)))
    }
  },
  callsPerItem: { write: 1 },
}

const reading = { path, kind: 'keyset', limit: 250, idField: 'id' } as const

export const banners = defineEntity({
  key: 'banners',
  label: 'Banners',
  group: 'marketing',
  after: ['categories', 'brands', 'products'],
  scopes: [{ scope: 'store_v2_marketing', below: [path] }],
  scope: 'store',
  prune: 'allowed',
  components: [banner],
  notMoved: [],
  passes: [
    {
      key: 'banners',
      label: 'Banners',
      root: 'banners',
      source: reading,
      destination: { ...reading, complete: true },
      lookUpById: { address: (id) => `${path}/${id}` },
      about: {
        component: 'categories',
        field: 'item_id',
        applies: (item) => item.page === 'category_page' && Number(item.item_id ?? everywhere) !== everywhere,
      },
      texts: ['content'],
      drafts: bannerDraft,
    },
  ],
})

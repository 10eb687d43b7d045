import { itemsIn } from '../../bigcommerce/pages.ts'
import type { Probe } from '../core/calls.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import { draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { imageFile, pictureOf } from '../core/image-file.ts'
import { longText, text } from '../core/limits.ts'
import { linkedFields } from '../core/links.ts'
import { brandMetafields } from '../core/metafields.ts'
import { usualTexts, withoutNullTexts } from '../core/null-texts.ts'
import { identity, type References } from '../core/references.ts'
import { addressOf, withoutEmptyAddress } from './web-address.ts'

/** The published brand has no description, but real brands have texts that themes may use as one. */
const texts = ['meta_description', 'description']

function brandDraft(item: PlatformItem, references: References) {
  const { id, image_url, ...unlinked } = withoutNullTexts(withoutEmptyAddress(item), usualTexts)
  const rest = { ...unlinked, ...linkedFields(unlinked, texts, references) }
  const name = String(item.name ?? '')
  return draft(
    'brands',
    id,
    { ...rest, ...pictureOf(item) },
    {
      compare: { ...rest, image_file: imageFile(image_url) },
      keys: [`name:${name.trim().toLowerCase()}`],
      name,
      path: addressOf(item),
    },
  )
}

const probe: Probe = async (client, { keys }) => {
  const names = keys.flat().map((key) => key.slice('name:'.length))
  const path = '/v3/catalog/brands'
  const found = await Promise.all(names.map((name) => client.get(path, { name, limit: 50 })))
  return found.flatMap((answer) => itemsIn<PlatformItem>(answer, path).map((item) => brandDraft(item, identity)))
}

const brand: Component = {
  key: 'brands',
  label: 'Brands',
  linkedAs: 'brand',
  forecastAs: 'brands',
  webAddress: 'omittedIfTaken',
  picture: 'fetched',
  limits: {
    inStore: 30_000,
    fields: {
      name: { required: true, longest: 255 },
      page_title: text,
      meta_description: longText,
      search_keywords: text,
    },
  },
  data: 'catalogue',
  withoutPicture: true,
  recovery: 'key',
  naturalKey: 'name, capitals aside',
  uniqueFields: ['name'],
  destinationOwned: [],
  carried: false,
  create: {
    batch: 1,
    call: ([only]) => ({ method: 'POST', path: '/v3/catalog/brands', body: only?.draft.body }),
  },
  update: {
    call: (desired, existing, _parentId, fields) => ({
      method: 'PUT',
      path: `/v3/catalog/brands/${existing.id}`,
      body: chosenFields(desired.body, fields),
    }),
  },
  remove: { call: (existing) => ({ method: 'DELETE', path: `/v3/catalog/brands/${existing.id}` }) },
  probe,
  callsPerItem: { write: 1 },
}

export const brands = defineEntity({
  key: 'brands',
  label: 'Brands',
  group: 'catalog',
  after: [],
  scopes: [{ scope: 'store_v2_products', below: ['/v3/catalog/brands'] }],
  scope: 'store',
  prune: 'allowed',
  components: [brand, brandMetafields.component],
  notMoved: [
    { what: 'names and texts of a single language', why: "the platform's REST API gives out the general ones only" },
  ],
  passes: [
    {
      key: 'brands',
      label: 'Brands',
      root: 'brands',
      source: { path: '/v3/catalog/brands', kind: 'staged', limit: 250, idField: 'id' },
      picks: { idsParameter: 'id:in' },
      browsed: { words: 'name:like', key: 'name' },
      sameKey: ({ name }) => [{ name: String(name) }],
      destination: { path: '/v3/catalog/brands', kind: 'staged', limit: 250, idField: 'id', complete: true },
      texts,
      drafts: brandDraft,
    },
    brandMetafields.pass,
  ],
})

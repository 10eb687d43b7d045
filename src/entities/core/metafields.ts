import type { StoreClient } from '../../bigcommerce/client.ts'
import { errorsOf, PlatformError, titleOf } from '../../bigcommerce/errors.ts'
import { offsetPages } from '../../bigcommerce/pages.ts'
import { numberOf } from '../../model/destination-id.ts'
import type { FindingTopic } from '../../model/preflight-findings.ts'
import type { Limits } from '../../model/refusal-rules.ts'
import type { WriteResult } from './calls.ts'
import type { Component } from './component.ts'
import { type Draft, draft, type PlatformItem } from './draft.ts'
import { text } from './limits.ts'
import type { Pass } from './pass.ts'
import { identity, type References } from './references.ts'
import { rowsByDraft } from './saved-by-key.ts'

/** A kind of resource that has metafields. The platform treats metafields of all kinds alike. */
interface MetafieldKind {
  key: string
  label: string
  /** Component of the owners. */
  owner: string
  /** What people call one owner. */
  ownerName: string
  limits?: Limits
  findings?: readonly FindingTopic[]
  /** The owners are shoppers. */
  madeByShoppers?: true
  /** The list of all metafields of this kind, for reading and for creating in batches. */
  path: string
  /** The path of the metafields of one owner. */
  ownPath(client: Pick<StoreClient, 'get'>, ownerId: string): Promise<string>
}

/** The platform documents no batch limit; a batch of this size has never been refused. */
const batch = 50

const catalogueLimits: Limits = {
  fields: {
    namespace: { required: true, longest: 64 },
    key: { required: true, longest: 64 },
    value: { required: true, longest: 65_535 },
    description: text,
    permission_set: {
      required: true,
      oneOf: ['app_only', 'read', 'write', 'read_and_sf_access', 'write_and_sf_access'],
    },
  },
}

/** Values may be private to an app, so none is stored or displayed (S9). */
function metafields(kind: MetafieldKind): { component: Component; pass: Pass } {
  const drafts = (item: PlatformItem, references: References) => metafieldDraft(kind, item, references)
  const { key, label, limits, findings, madeByShoppers, owner, path } = kind
  return {
    component: {
      key,
      label,
      ...(limits && { limits }),
      ...(findings && { findings }),
      ...(madeByShoppers && { madeByShoppers }),
      data: 'secret',
      // The name consists of the namespace, the key and the owner's id.
      collidesByName: true,
      recovery: 'key',
      naturalKey: 'its owner, namespace and key',
      uniqueFields: ['key'],
      ofClient: true,
      hiddenFromOthers: ({ permission_set }) => permission_set === 'app_only',
      destinationOwned: [],
      carried: false,
      create: {
        batch,
        call: (desired) => ({ method: 'POST', path, body: desired.map((one) => one.draft.body) }),
        readsRefusals: true,
        results: (status, body, desired) => metafieldResults(status, body, desired, drafts),
      },
      update: {
        call: (desired, existing) => ({
          method: 'PUT',
          path,
          body: [{ id: numberOf(existing.id), ...withoutOwner(desired.body) }],
        }),
      },
      remove: { call: (existing) => ({ method: 'DELETE', path, body: [numberOf(existing.id)] }) },
      probe: async (client, { parentIds }) => {
        const found: Draft[] = []
        for (const id of parentIds) found.push(...(await hangingOn(client, await kind.ownPath(client, id), drafts)))
        return found
      },
      callsPerItem: { write: 1 / batch },
    },
    pass: {
      key,
      label,
      root: key,
      below: owner,
      source: { path, kind: 'cursor', limit: 250, idField: 'id' },
      destination: { path, kind: 'cursor', limit: 250, idField: 'id', complete: true },
      drafts,
    },
  }
}

/** A 404 means that the owner was deleted in the meantime, and its metafields with it. */
async function hangingOn(
  client: Pick<StoreClient, 'get'>,
  path: string,
  read: (item: PlatformItem, references: References) => Draft,
): Promise<Draft[]> {
  const found: Draft[] = []
  try {
    for await (const { items } of offsetPages<PlatformItem>(client, path))
      found.push(...items.map((item) => read(item, identity)))
  } catch (error) {
    if (!(error instanceof PlatformError && error.httpStatus === 404)) throw error
  }
  return found
}

function metafieldDraft({ key, owner, ownerName }: MetafieldKind, item: PlatformItem, references: References): Draft {
  const {
    id,
    owner_client_id: _owner,
    resource_type: _type,
    resource_id,
    date_created: _dc,
    date_modified: _dm,
    ...rest
  } = item
  const counterpart = references.need(owner, resource_id)
  const { namespace, key: ownKey, permission_set } = item
  // For a metafield private to an app, the name mentions only the owner (S9).
  const called = permission_set === 'app_only' ? 'a private metafield' : `${namespace}/${ownKey}`
  return draft(
    key,
    id,
    { ...rest, resource_id: counterpart },
    {
      keys: [`resource:${counterpart}/${keyPart(namespace)}/${ownKey}`],
      name: `${called} of ${ownerName} ${resource_id}`,
      parentId: String(counterpart),
    },
  )
}

/** Both a namespace and a key may contain slashes. */
function keyPart(text: unknown): string {
  return String(text).replaceAll('%', '%25').replaceAll('/', '%2F')
}

/** A metafield cannot move to another owner. */
function withoutOwner({ resource_id: _owner, ...body }: PlatformItem): PlatformItem {
  return body
}

/** A 422 may have saved some of them: those in `data`. Metafields missing from a successful response are looked up. */
function metafieldResults(
  httpStatus: number,
  body: unknown,
  desired: Draft[],
  read: (item: PlatformItem, references: References) => Draft,
): WriteResult[] {
  const rows = rowsByDraft(body, desired, { read: (item) => read(item, identity) })
  const title = titleOf(body)
  return desired.map((one) => {
    const item = rows.get(one)
    if (item) return { saved: item }
    if (httpStatus !== 422 && title === '') return { lookFor: true }
    const refused = { title: title || 'The metafield was not created', errors: errorsOf(body) }
    return { refused, withOthers: true }
  })
}

export const productMetafields = metafields({
  key: 'product-metafields',
  label: 'Product metafields',
  findings: ['metafields-of-others', 'destination'],
  limits: catalogueLimits,
  owner: 'products',
  ownerName: 'product',
  path: '/v3/catalog/products/metafields',
  ownPath: async (_client, id) => `/v3/catalog/products/${id}/metafields`,
})

export const categoryMetafields = metafields({
  key: 'category-metafields',
  label: 'Category metafields',
  limits: catalogueLimits,
  owner: 'categories',
  ownerName: 'category',
  path: '/v3/catalog/categories/metafields',
  ownPath: async (_client, id) => `/v3/catalog/categories/${id}/metafields`,
})

export const brandMetafields = metafields({
  key: 'brand-metafields',
  label: 'Brand metafields',
  limits: catalogueLimits,
  owner: 'brands',
  ownerName: 'brand',
  path: '/v3/catalog/brands/metafields',
  ownPath: async (_client, id) => `/v3/catalog/brands/${id}/metafields`,
})

export const variantMetafields = metafields({
  key: 'variant-metafields',
  label: 'Variant metafields',
  limits: catalogueLimits,
  owner: 'product-variants',
  ownerName: 'variant',
  path: '/v3/catalog/variants/metafields',
  // The path of a variant contains its product's id, which only the variant itself knows.
  ownPath: async (client, id) => {
    const { body } = await client.get<{ data: PlatformItem[] }>('/v3/catalog/variants', { id })
    return `/v3/catalog/products/${body.data[0]?.product_id}/variants/${id}/metafields`
  },
})

export const customerMetafields = metafields({
  key: 'customer-metafields',
  label: 'Customer metafields',
  madeByShoppers: true,
  owner: 'customers',
  ownerName: 'customer',
  path: '/v3/customers/metafields',
  ownPath: async (_client, id) => `/v3/customers/${id}/metafields`,
})

export const orderMetafields = metafields({
  key: 'order-metafields',
  label: 'Order metafields',
  owner: 'orders',
  ownerName: 'order',
  path: '/v3/orders/metafields',
  ownPath: async (_client, id) => `/v3/orders/${id}/metafields`,
})

import {
  type Component,
  type Draft,
  draft,
  identity,
  type Pass,
  type PlatformItem,
  type References,
  type WriteResult,
} from './define.ts'

const path = '/v3/catalog/products/metafields'

function metafieldDraft(item: PlatformItem, references: References): Draft {
  const {
    id,
    owner_client_id: _owner,
    resource_type: _type,
    resource_id,
    date_created: _dc,
    date_modified: _dm,
    ...rest
  } = item
  const product = references.need('products', resource_id)
  return draft(
    'product-metafields',
    id,
    { ...rest, resource_id: product },
    { keys: [`resource:${product}/${item.namespace}/${item.key}`], parentId: String(product) },
  )
}

/** Shape C: 422 means that some were saved; what `data` holds was. */
function metafieldResults(_status: number, body: unknown, drafts: Draft[]): WriteResult[] {
  const { data = [], errors = [] } = (body ?? {}) as {
    data?: PlatformItem[]
    errors?: { title?: string; errors?: Record<string, string> }[]
  }
  const saved = new Map(data.map((item) => [metafieldDraft(item, identity).keys[0], item]))
  const refusal = errors[0]
  return drafts.map((wanted) => {
    const item = saved.get(wanted.keys[0])
    if (item) return { saved: item }
    return { refused: { title: refusal?.title ?? 'The metafield was not created', errors: refusal?.errors ?? {} } }
  })
}

/** Values may be an app's own business, so none of them is stored or shown (S9). */
export const productMetafield: Component = {
  key: 'product-metafields',
  label: 'Product metafields',
  data: 'secret',
  recovery: 'key',
  living: [],
  carried: false,
  create: {
    batch: 50,
    call: (drafts) => ({ method: 'POST', path, body: drafts.map(({ draft }) => draft.body) }),
    results: metafieldResults,
  },
  probe: async (client, { parentIds }) => {
    const found: Draft[] = []
    for (const product of parentIds)
      for (let page = 1; ; page++) {
        const answer = await client.get<{ data: PlatformItem[] }>(`/v3/catalog/products/${product}/metafields`, {
          limit: 250,
          page,
        })
        found.push(...answer.body.data.map((item) => metafieldDraft(item, identity)))
        if (answer.body.data.length === 0) break
      }
    return found
  },
  callsPerItem: { write: 0.02 },
}

export const productMetafields: Pass = {
  key: 'product-metafields',
  label: 'Product metafields',
  root: 'product-metafields',
  below: 'products',
  source: { path, kind: 'cursor', limit: 250, idField: 'id' },
  destination: { path, kind: 'cursor', limit: 250, idField: 'id', complete: true },
  drafts: metafieldDraft,
}

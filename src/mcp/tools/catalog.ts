import { z } from 'zod'
import { browseCatalog } from '../../operations/catalog/browse-catalog.ts'
import { getCatalogItem } from '../../operations/catalog/get-catalog-item.ts'
import { compareItem } from '../../operations/reports/compare-item.ts'
import { getItemHistory } from '../../operations/reports/get-item-history.ts'
import { count, detail, listOf, maybe, ofPair, page, store, text } from '../shapes.ts'
import { defineTool } from '../tool.ts'

const entity = z.string().max(64).describe('products, categories, brands or another phase key')
const itemId = z.string().max(100)
const platformId = z.string().max(15)

const itemShape = z.strictObject({ id: text, untrusted_name: maybe, untrusted_sku: maybe, untrusted_path: maybe })

function describeItem({ id, name, sku, path }: Record<'name' | 'sku' | 'path', string | null> & { id: string }) {
  return { id, untrusted_name: name, untrusted_sku: sku, untrusted_path: path }
}

export const searchCatalog = defineTool({
  name: 'search_catalog',
  title: 'Search a catalogue',
  about:
    'Items of a store, read live: all, or filtered by text, storefront or parent (category). Customers and other personal data show ids only.',
  live: true,
  subject: 'store',
  input: z.strictObject({
    store,
    entity,
    query: z.string().min(1).max(100).optional(),
    storefront_id: platformId.optional(),
    parent_id: platformId.optional(),
    ...page,
  }),
  output: listOf('items', itemShape),
  async answer({ store: hash, query, storefront_id: storefront, parent_id: parentId, ...rest }, { read }) {
    const found = await read(browseCatalog, { hash, text: query, storefront, parentId, ...rest })
    return { items: found.items.map(describeItem), nextCursor: found.nextCursor }
  },
})

export const getCatalogItemTool = defineTool({
  name: 'get_catalog_item',
  title: 'Get catalogue item',
  about:
    'One item of a store, read live, by item_id or by key: SKU of a product, otherwise name or path. detail=full adds its fields.',
  live: true,
  subject: 'item',
  input: z.strictObject({
    store,
    entity,
    item_id: itemId.optional(),
    key: z.string().min(1).max(255).optional(),
    detail,
  }),
  output: z.strictObject({
    item: itemShape,
    below: z.record(z.string(), count),
    untrusted_fields: z.record(z.string(), z.unknown()).optional(),
  }),
  async answer({ store: hash, item_id, key, entity: of, detail: requested }, { read }) {
    const found = await read(getCatalogItem, { hash, entity: of, itemId: item_id, key })
    const fields = requested === 'full' && found.fields ? Object.entries(found.fields) : null
    return {
      item: describeItem(found.item),
      below: found.below,
      untrusted_fields: fields && Object.fromEntries(fields.map(([name, value]) => [name, asText(value)])),
    }
  },
})

/** Lists and objects become JSON text, so the length limit applies to every value. */
function asText(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

export const compareItemTool = defineTool({
  name: 'compare_item',
  title: 'Compare an item',
  about:
    'A source item and its copy, field by field, both read live. Without destination_item_id, the copy on record. Fields marked `living`, such as stock, may differ.',
  live: true,
  subject: 'item',
  input: z.strictObject({
    source_store: ofPair,
    destination_store: ofPair,
    entity,
    source_item_id: itemId,
    destination_item_id: itemId.optional(),
  }),
  output: z.strictObject({
    state: text,
    item: itemShape,
    destination_id: maybe,
    missing_reference: z.strictObject({ component: text, id: text }).optional(),
    differences: z.array(
      z.strictObject({
        component: text,
        kind: text,
        source_id: maybe,
        destination_id: maybe,
        fields: z.array(
          z.strictObject({
            untrusted_path: text,
            living: z.boolean(),
            untrusted_source: z.unknown().optional(),
            untrusted_destination: z.unknown().optional(),
          }),
        ),
      }),
    ),
  }),
  async answer(input, { read }) {
    const { differences, item, ...found } = await read(compareItem, {
      source: input.source_store,
      destination: input.destination_store,
      entity: input.entity,
      sourceItemId: input.source_item_id,
      destinationItemId: input.destination_item_id,
    })
    return {
      ...found,
      item: describeItem(item),
      differences: differences.map((one) => ({
        ...one,
        fields: one.fields.map(({ path, living, source, destination }) => ({
          // Merchants name the fields that they add to forms.
          untrusted_path: path,
          living,
          untrusted_source: asText(source),
          untrusted_destination: asText(destination),
        })),
      })),
    }
  },
})

export const getItemHistoryTool = defineTool({
  name: 'get_item_history',
  title: 'Get item history',
  about:
    'Which source item became which copy, and what each run recorded about it: issues, differences, overwrites, deletions.',
  subject: 'store',
  input: z.strictObject({
    entity: z.string().max(64).describe('Component key, e.g. products or product-images'),
    source_item_id: itemId.optional(),
    destination_item_id: itemId.optional(),
    source_store: store.optional().describe('Ids are unique within a store only'),
  }),
  output: z.strictObject({
    mappings: z.array(
      z.strictObject({
        source: text,
        destination: text,
        scope: text,
        source_id: text,
        destination_id: text,
        origin: text,
        owed: z.array(text),
        run_id: text,
        created_at: text,
        updated_at: text,
      }),
    ),
    events: z.array(
      z.strictObject({
        run_id: text,
        source: text,
        destination: text,
        at: text,
        event: text,
        what: text,
        state: maybe,
      }),
    ),
  }),
  answer: (input, { read }) =>
    read(getItemHistory, {
      component: input.entity,
      sourceId: input.source_item_id,
      destinationId: input.destination_item_id,
      source: input.source_store,
    }),
})

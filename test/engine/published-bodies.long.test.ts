import { expect, onTestFinished, test } from 'vitest'
import { resources } from '../../sandbox/registry.ts'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import { addModifiers } from '../comparison/more-modifiers.ts'
import { edited } from '../entities/stories.ts'
import { type SentBody, startKeepingBodies } from '../harness/keep-bodies.ts'
import { aWorld } from '../harness/world.ts'
import {
  operationKey,
  orHowToGetSpecs,
  publishedBody,
  readPublishedOperations,
  specsFolder,
} from '../sandbox/contract/published-operations.ts'
import { checkSchema } from '../sandbox/contract/schema-check.ts'

const ofOneValue =
  'the file names it for one value of a modifier and in answers, and a value cannot be made without its label'
const modifierFields = [
  ...['label', 'sort_order'],
  ...['adjusters.image_url', 'adjusters.purchasing_disabled', 'adjusters.weight'],
]

/** Fields that the files do not name for a call, and why they are sent all the same. */
const alsoSent: Record<string, string> = {
  ...Object.fromEntries(
    [
      'POST /v3/catalog/products/:productId/modifiers',
      'PUT /v3/catalog/products/:productId/modifiers/:modifierId',
    ].flatMap((call) => modifierFields.map((field) => [`${call} option_values[].${field}`, ofOneValue])),
  ),
  'PUT /v3/catalog/products/:productId/modifiers/:modifierId option_values[].value_data': ofOneValue,
  'PUT /v3/catalog/products/:productId/videos/:childId video_id':
    'the file names it for creating a video, and a video that was replaced could not be corrected without it',
}

/** Fields that the files show as null in answers: a store may have any of them so. */
const nullInAnswers: Record<string, Record<string, unknown>> = {
  blog_posts: { author: null, thumbnail_path: null, meta_description: null, meta_keywords: null },
  pages: { meta_title: null, meta_keywords: null, meta_description: null, search_keywords: null },
  price_records: { bulk_pricing_tiers: [{ quantity_min: 2, quantity_max: null, type: 'percent', amount: 5 }] },
  variants: { weight: null, upc: null, mpn: null, gtin: null, bin_picking_number: null, inventory_warning_level: null },
  option_values: { value_data: null },
}
/** The same fields of copies that somebody has edited. */
const edits: typeof nullInAnswers = {
  blog_posts: { author: 'Somebody', thumbnail_path: 'a.png', meta_description: 'All', meta_keywords: 'all' },
  pages: { meta_title: 'All', meta_keywords: 'all', meta_description: 'All of it', search_keywords: 'all' },
  price_records: { bulk_pricing_tiers: [{ quantity_min: 2, quantity_max: 9, type: 'percent', amount: 5 }] },
  variants: { weight: 7, upc: '1', mpn: '2', gtin: '3', bin_picking_number: '4', inventory_warning_level: 5 },
}

const saysNull = 'the notes of the call or the description of the field say what null means'
/** Where null is sent although the schema has none. */
const alsoNull: Record<string, string> = {
  'POST /v3/customers [].channel_ids': saysNull,
  'POST /v3/promotions end_date': saysNull,
  'POST /v3/catalog/products variants[].map_price': 'recorded as null in answers, like the other prices of a variant',
  ...Object.fromEntries(
    ['sale_price', 'retail_price', 'map_price'].map((price) => [
      `PUT /v3/pricelists/:priceListId/records [].${price}`,
      'its description says what an empty price means, and nothing else takes it off',
    ]),
  ),
  ...Object.fromEntries(
    [
      ...['store_address', 'store_address_type', 'store_email', 'store_phone'].map((field) => `store/profile ${field}`),
      ...['meta_description', 'www_redirect'].map((field) => `storefront/seo ${field}`),
    ].map((field) => [`PUT /v3/settings/${field}`, saysNull]),
  ),
}

const routes = resources
  .flatMap(({ routes }) => routes)
  .map(({ method, path }) => ({
    method,
    path,
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  }))

test.skipIf(!specsFolder)(
  orHowToGetSpecs('G16: no field is sent to version 3 that the published file of its resource does not name'),
  async () => {
    const bodies = await startKeepingBodies()
    onTestFinished(() => bodies.stop())
    const world = await aWorld({ apiUrl: bodies.url })
    bodies.forwardTo(world.sandboxUrl)
    await addModifiers(world)
    await addCatalogueParts(world, 'source')
    const first = await world.complete()
    expect(first).toMatchObject({ failuresOpen: 0 })
    const { planted, update } = await edited({ world, clean: true, first })
    expect(planted.size).toBeGreaterThan(40)
    expect(update).toMatchObject({ failuresOpen: 0 })
    const toVersion3 = bodies.sent.filter(({ path }) => path.startsWith('/v3/'))
    expect(new Set(toVersion3.map(({ path }) => path)).size).toBeGreaterThan(30)
    const found = new Set(toVersion3.flatMap(unpublishedFields))
    expect([...found].filter((line) => !(line in alsoSent)).sort()).toEqual([])
    expect(Object.keys(alsoSent).filter((line) => !found.has(line))).toEqual([])
  },
)

test.skipIf(!specsFolder)(
  orHowToGetSpecs('G16: no null is sent where the published file of its resource has none'),
  async () => {
    const bodies = await startKeepingBodies()
    onTestFinished(() => bodies.stop())
    const world = await aWorld({ apiUrl: bodies.url })
    bodies.forwardTo(world.sandboxUrl)
    const set = async (side: 'source' | 'destination', fieldsOf: typeof nullInAnswers) => {
      const state = await world.state(side)
      for (const [table, fields] of Object.entries(fieldsOf))
        for (const { id } of state[table] ?? []) await world.change(side, { op: 'set', table, id, fields })
    }
    await set('source', nullInAnswers)
    expect(await world.complete()).toMatchObject({ failuresOpen: 0 })
    await set('destination', edits)
    const update = await world.complete({ conflictStrategy: 'update' })
    expect(update).toMatchObject({ failuresOpen: 0 })
    expect((await world.verify(update.requestId)).differences).toEqual([])
    const found = new Set(bodies.sent.flatMap((one) => complaintsAbout(one, 'is null')))
    expect([...found].filter((line) => !(line in alsoNull)).sort()).toEqual([])
    expect(Object.keys(alsoNull).filter((line) => !found.has(line))).toEqual([])
  },
)

const operations = readPublishedOperations()

function unpublishedFields(sent: SentBody): string[] {
  return complaintsAbout(sent, 'is not in the file')
}

function complaintsAbout({ method, path, body }: SentBody, complaint: string): string[] {
  const route = routes.find((one) => one.method === method && one.pattern.test(path))
  const operation = route && operations.get(operationKey(method, route.path))
  const schema = operation && publishedBody(operation)
  if (!route || !schema) return [`${method} ${route?.path ?? path} takes no body`]
  return checkSchema(operation.document, schema, body)
    .filter(({ says }) => says === complaint)
    .map(({ at }) => `${method} ${route.path} ${at}`)
}

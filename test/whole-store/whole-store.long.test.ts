import { expect, test } from 'vitest'
import type { Seed } from '../../sandbox/seeds/plant-seed.ts'
import { compareStores, type Pair, pairAndCompare } from '../comparison/compare-stores.ts'
import { entityOf, type Mutation, Mutations } from '../comparison/mutations.ts'
import { owningItem } from '../comparison/owning-item.ts'
import { linesOfFindings } from '../comparison/report-lines.ts'
import type { State } from '../comparison/store-side.ts'
import { writesTo } from '../engine/content.ts'
import { actionsOf } from '../engine/planned.ts'
import { aWorld } from '../harness/world.ts'
import { likeTheBornOne, showTheme } from '../show-theme.ts'

/**
 * A shop of ten thousand products and twenty thousand orders takes about an hour, which is why it is a suite of its own:
 * `npm run test:whole-store`. `STOREFERRY_WHOLE_STORE` names another seed, at least as large as `small`.
 */
const seed = (process.env.STOREFERRY_WHOLE_STORE ?? 'medium') as Seed
/** Milliseconds for one run. */
const timeout = 4 * 3_600_000

/** On each side. */
const editsPerSide = 50

/** Edits that merchants make between two runs, by the titles of `Mutations`; the same are made at the destination. */
const kinds = [
  'categories.name',
  'categories.description',
  'categories.is_visible',
  'brands.name',
  'brands.page_title',
  'products.name',
  'products.price',
  'products.weight',
  'products.description',
  'products.is_visible',
  'products.page_title',
  'products.brand_id to another',
  'products.brand_id to none',
  'product_categories.category_id',
  'variants.price',
  'variants.cost_price',
  'custom_fields.value',
  'product_metafields.value',
  'customers.first_name',
  'customers.notes',
  'subscribers.first_name',
  'coupons.amount',
  'gift_certificates.to_name',
  'pages.search_keywords',
  'blog_posts.author',
  'redirects.to.url',
  'wishlists.is_public',
]

interface Edit {
  mutation: Mutation
  /** What the run counts as written and what it warns about: children are counted, but their item is warned about. */
  written: string
  item: string
}

test(`C2: a shop of the seed ${seed} is copied whole, again without a write, and update writes each of a hundred edits once`, {
  timeout: 3 * timeout,
}, async () => {
  // As in production: such a run takes long enough for its lease, its memory and its host to matter.
  const world = await aWorld({ seeds: { source: seed }, requestTimeoutSeconds: 30, processes: true })
  await showTheme(world, await likeTheBornOne(world))
  const complete = async (body: object = {}) => world.finished(await world.migrate(body), { seconds: timeout / 1_000 })
  const states = async () => ({ source: await world.state('source'), destination: await world.state('destination') })
  const findings = async () => {
    const { source, destination } = await states()
    return linesOfFindings(compareStores(source, destination))
  }
  const ended = { status: 'completed', failuresOpen: 0, counters: { failed: 0 } }
  expect(await complete()).toMatchObject(ended)
  expect(await findings()).toEqual([])
  await world.resetRequests('destination')
  expect(await complete()).toMatchObject(ended)
  expect(await writesTo(world)).toEqual([])

  const { source, destination } = await states()
  const { pairs } = pairAndCompare(source, destination)
  const taken = new Set<string>()
  const atSource = chosen({ state: source, pairs: swapped(pairs), taken, sourceId: ownId })
  const atDestination = chosen({ state: destination, pairs, taken, sourceId: idsAtSource(pairs) })
  for (const { mutation } of atSource) for (const change of mutation.changes) await world.change('source', change)
  for (const { mutation } of atDestination)
    for (const change of mutation.changes) await world.change('destination', change)
  expect([atSource.length, atDestination.length, (await findings()).length]).toEqual([
    editsPerSide,
    editsPerSide,
    2 * editsPerSide,
  ])
  await world.resetRequests('destination')
  const run = await complete({ conflictStrategy: 'update' })
  expect.soft(run).toMatchObject(ended)
  expect.soft(await findings()).toEqual([])
  const edits = [...atSource, ...atDestination]
  expect
    .soft([...(await actionsOf(world, run.requestId))].sort())
    .toEqual(edits.map(({ written }) => `${written} updated`).sort())
  // It warns of those at the destination.
  const warnings = (await world.issues(run.requestId)).map(
    ({ code, component, item }) => `${code} ${component} ${item.sourceId}`,
  )
  expect.soft(warnings.sort()).toEqual(atDestination.map(({ item }) => `destination_changed ${item}`).sort())
  // One call for one item, or for several.
  expect.soft((await writesTo(world)).length).toBeLessThanOrEqual(edits.length)
})

type PairsOf = Record<string, Pair[]>
/** The source id of a row of the edited store. */
type SourceId = (table: string, id: unknown) => unknown

const ownId: SourceId = (_table, id) => id

function idsAtSource(pairs: PairsOf): SourceId {
  const ids = new Map<string, number>(
    Object.entries(pairs).flatMap(([table, rows]) =>
      rows.map(({ source, destination }) => [`${table}/${destination.id}`, source.id] as const),
    ),
  )
  return (table, id) => ids.get(`${table}/${id}`)
}

/** `Mutations` change the destination of a pair. */
function swapped(pairs: PairsOf): PairsOf {
  const swap = ({ source, destination, key }: Pair) => ({ source: destination, destination: source, key })
  return Object.fromEntries(Object.entries(pairs).map(([table, rows]) => [table, rows.map(swap)]))
}

interface Choice {
  state: State
  pairs: PairsOf
  /** Items that are already edited, on either side: two edits of one item could not be distinguished. */
  taken: Set<string>
  sourceId: SourceId
}

/** The requested number of edits, taking each kind in turn, each of a different item. */
function chosen({ state, pairs, taken, sourceId }: Choice): Edit[] {
  const mutations = new Mutations(state, pairs)
  const edits: Edit[] = []
  while (edits.length < editsPerSide) {
    const before = edits.length
    const possible = mutations.ofFields()
    for (const kind of kinds) {
      const edit = possible
        .filter(({ title }) => title.startsWith(`set ${kind} of `))
        .map((mutation) => editOf(mutation, state, sourceId))
        .find(({ item }) => !taken.has(item))
      if (!edit || edits.length === editsPerSide) continue
      taken.add(edit.item)
      edits.push(edit)
    }
    if (edits.length === before) throw new Error(`The seed ${seed} has too little for ${editsPerSide} edits.`)
  }
  return edits
}

function editOf(mutation: Mutation, state: State, sourceId: SourceId): Edit {
  const [change] = mutation.changes
  if (!change) throw new Error(`${mutation.title} changes nothing.`)
  const owner = owningItem(change, state)
  const item = `${owner.component} ${sourceId(owner.table, owner.id)}`
  const isLink = change.table === 'product_categories'
  const written = isLink ? item : `${entityOf(change.table)} ${sourceId(change.table, change.id)}`
  return { mutation, written, item }
}

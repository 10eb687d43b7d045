import type { InTransaction } from '../../../src/db/core/database.ts'
import * as destinationItems from '../../../src/db/ledger/destination-items.ts'
import * as failedItems from '../../../src/db/ledger/failed-items.ts'
import { leftoverIntents } from '../../../src/db/ledger/intents.ts'
import * as ledger from '../../../src/db/ledger/ledger.ts'
import { listMappingRows } from '../../../src/db/ledger/mapping-pages.ts'
import * as mappings from '../../../src/db/ledger/mappings.ts'
import * as otherSources from '../../../src/db/ledger/other-sources.ts'
import * as prune from '../../../src/db/ledger/prune.ts'
import * as simulated from '../../../src/db/ledger/simulated-mappings.ts'
import * as staged from '../../../src/db/ledger/staged-items.ts'
import type { NewMapping } from '../../../src/db/ledger/store-pair.ts'
import { findMappings, listItemEvents } from '../../../src/db/reports/item-history.ts'
import { inScopeAtDestination } from '../../../src/db/runs/scope-items.ts'
import { isStillDue, takeDue } from '../../../src/db/side-effects/side-effects.ts'
import { soldOf } from '../../../src/db/side-effects/sold-stock.ts'
import type { DestinationId } from '../../../src/model/destination-id.ts'
import { type ManyRows, pendingItems } from './many-rows.ts'

/** As many items as a page of most lists has. */
const pageSize = 250

/** As many items as most calls write. */
const batchSize = 50

/** Where in the tables a page is, from 0 to 1. */
type Position = number

/** Asks for one page, or records one. The transaction is rolled back. */
type PageStatement = (tx: InTransaction, many: ManyRows, at: Position) => Promise<unknown>

/** Every query of a module: a new one without a line here does not compile. */
type EveryQuery<Module> = Record<
  { [Name in keyof Module]: Module[Name] extends Query ? Name : never }[keyof Module],
  PageStatement | ElseWhere
>
// biome-ignore lint/suspicious/noExplicitAny: whatever it takes.
type Query = (...given: any[]) => Promise<unknown>

/** `whole`: once in a run or phase, about all of it; see `whole-statements.ts`. `calls`: nothing but others of this list. */
type ElseWhere = 'whole' | 'calls'

const idsOf = (count: number, at: Position, size = pageSize) => {
  const first = 1 + Math.floor(at * (count - size - 400))
  return Array.from({ length: size }, (_, more) => String(first + more))
}
const copies = (ids: string[]) => ids.map((id) => String(Number(id) + 7))
const thingIds = ({ things }: ManyRows, at: Position, size?: number) => idsOf(things, at, size)
/** Of what has rows in the tables of a run besides the ledger. */
const listedIds = ({ products }: ManyRows, at: Position, size?: number) => idsOf(products, at, size)
/** The last ones are under way. */
const pendingIds = ({ things }: ManyRows, at: Position) =>
  Array.from({ length: batchSize }, (_, n) => String(things - n - Math.floor(at * (pendingItems - batchSize))))
/** About there in the order of texts, in which pages follow one another: by number, an id from the end would be near the beginning. */
const afterOf = (at: Position) => String(Math.max(1, Math.ceil(at * 9)))
const newIds = (at: Position) => Array.from({ length: pageSize }, (_, n) => `new-${at}-${n}`)

function newMappings({ runId }: ManyRows, ids: string[]): NewMapping[] {
  return ids.map((id) => ({
    scope: 'store',
    component: 'things',
    sourceId: id,
    destinationId: `copy-${id}` as DestinationId,
    origin: 'created',
    owed: [],
    draftChecksum: null,
    destinationChecksum: null,
    runId,
    extraChildren: false,
  }))
}

function named(many: ManyRows, at: Position) {
  const of = (component: string, ids: string[]) => ids.map((sourceId) => ({ scope: 'store', component, sourceId }))
  return [
    ...of('things', thingIds(many, at)),
    ...of('products', listedIds(many, at)),
    ...of('variants', listedIds(many, at)),
  ]
}
const ofThings = { scope: 'store', component: 'things' }

const ofLedger: EveryQuery<typeof ledger> = {
  planItems: (tx, many, at) =>
    ledger.planItems(
      tx,
      many.runId,
      newIds(at).map((id) => ({ component: 'things', sourceId: id, pass: 'things', rootId: id, state: 'pending' })),
    ),
  endItems: (tx, many, at) =>
    ledger.endItems(
      tx,
      many.runId,
      pendingIds(many, at).map((sourceId) => ({ component: 'things', sourceId, state: 'created' })),
    ),
  endAndCount: 'calls',
  markUpdated: (tx, many, at) => ledger.markUpdated(tx, many.runId, 'things', thingIds(many, at)),
  recordPruned: 'calls',
  pendingRoots: (tx, many) => ledger.pendingRoots(tx, many.runId, 'things', '', 50),
  statesOf: (tx, many, at) => ledger.statesOf(tx, many.runId, 'products', listedIds(many, at, 50)),
  statesOfRoots: (tx, many, at) => ledger.statesOfRoots(tx, many.runId, 'things', thingIds(many, at)),
  triedAmong: (tx, many, at) => ledger.triedAmong(tx, many.runId, 'things', thingIds(many, at)),
  recordPage: (tx, many, at) =>
    ledger.recordPage(
      tx,
      many.runId,
      { number: 1 + Math.round(at * 1000), firstId: '1', lastId: '2' },
      new Map([['things', { matched: 1, skipped: 0 }]]),
    ),
  cancelPending: 'whole',
  foldLedger: 'whole',
}

const ofMappings: EveryQuery<typeof mappings> = {
  // Once for a list: until it finds a mapping that the run did not create, it reads them all.
  createdAll: 'whole',
  mappingsOf: (tx, many, at) => mappings.mappingsOf(tx, many.pair, named(many, at)),
  pendingOnOwnKind: (tx, many, at) =>
    mappings.pendingOnOwnKind(tx, many.pair, { ...ofThings, after: afterOf(at), limit: 25 }),
  pendingMappings: (tx, many, at) =>
    mappings.pendingMappings(tx, many.pair, { ...ofThings, after: afterOf(at), limit: 25, prefix: 'link:' }),
  claimsOf: (tx, many, at) => mappings.claimsOf(tx, many.pair, 'store', 'things', copies(thingIds(many, at))),
  ageOfLatestMs: (tx, many, at) =>
    mappings.ageOfLatestMs(tx, many.pair, { ...ofThings, destinationIds: copies(thingIds(many, at)) }),
  saveMappings: (tx, many, at) => mappings.saveMappings(tx, many.pair, newMappings(many, newIds(at))),
  releaseClaims: (tx, many, at) =>
    mappings.releaseClaims(
      tx,
      many.pair,
      newMappings(many, newIds(at)).map((one, n) => ({
        ...one,
        destinationId: copies(thingIds(many, at))[n] as DestinationId,
      })),
    ),
  rootsWithoutChecksum: (tx, many, at) =>
    mappings.rootsWithoutChecksum(tx, many.pair, {
      runId: many.runId,
      ...ofThings,
      after: afterOf(at),
      limit: 50,
      ownOnly: false,
    }),
  saveDestinationChecksums: (tx, many, at) =>
    mappings.saveDestinationChecksums(
      tx,
      many.pair,
      'store',
      'things',
      copies(thingIds(many, at)).map((destinationId) => ({ destinationId, checksum: 'x' })),
    ),
  forgetMappings: (tx, many, at) =>
    mappings.forgetMappings(
      tx,
      many.pair,
      thingIds(many, at).map((sourceId) => ({ ...ofThings, sourceId })),
    ),
}

const dryPair = ({ pair, dryRunId }: ManyRows) => ({ ...pair, simulatedBy: dryRunId })

const ofDryRuns: EveryQuery<typeof simulated> & Record<string, PageStatement | ElseWhere> = {
  saveSimulated: (tx, many, at) =>
    simulated.saveSimulated(tx, many.pair, many.dryRunId, newMappings(many, newIds(at)), false),
  forgetSimulated: (tx, many, at) =>
    simulated.forgetSimulated(
      tx,
      many.dryRunId,
      thingIds(many, at).map((sourceId) => ({ ...ofThings, sourceId })),
    ),
  takeKeys: (tx, many, at) => simulated.takeKeys(tx, many.dryRunId, 'things/new', newIds(at).slice(0, 3)),
  takeKeysInTurn: (tx, many, at) =>
    simulated.takeKeysInTurn(
      tx,
      many.dryRunId,
      newIds(at).map((key) => ({ holder: `things/${key}`, keys: [key] })),
    ),
  holdListedAddresses: 'whole',
  waitingForOthers: (tx, many, at) =>
    simulated.waitingForOthers(tx, many.dryRunId, { ...ofThings, after: afterOf(at), limit: 25 }),
  'mappingsOf, dry run': (tx, many, at) => mappings.mappingsOf(tx, dryPair(many), named(many, at)),
  'pendingMappings, dry run': (tx, many, at) =>
    mappings.pendingMappings(tx, dryPair(many), { ...ofThings, after: afterOf(at), limit: 25, prefix: 'link:' }),
  'claimsOf, dry run': (tx, many, at) =>
    mappings.claimsOf(tx, dryPair(many), 'store', 'things', copies(thingIds(many, at))),
}

const ofOthers: EveryQuery<typeof otherSources> = {
  otherSources: (tx, many) => otherSources.otherSources(tx, many.pair),
  isSharedDestination: (tx, many) => otherSources.isSharedDestination(tx, many.pair),
  sourcesOfCopies: (tx, many, at) => otherSources.sourcesOfCopies(tx, many.pair, ofThings, copies(thingIds(many, at))),
  sourcesWithCopies: async (tx, many) =>
    otherSources.sourcesWithCopies(tx, many.pair, await otherSources.otherSources(tx, many.pair), {
      ...ofThings,
      component: 'products',
    }),
}

const ofPrune: EveryQuery<typeof prune> = {
  saveSourceKeys: (tx, many, at) =>
    prune.saveSourceKeys(
      tx,
      many.runId,
      'things',
      newIds(at).map((id) => ({ id, keys: [`name:${id}`, `sku:${id}`] })),
    ),
  listedInSource: (tx, many, at) => prune.listedInSource(tx, many.runId, 'things', thingIds(many, at)),
  candidatesAfter: (tx, many, at) =>
    prune.candidatesAfter(tx, {
      runId: many.runId,
      component: 'products',
      after: listedIds(many, at, 1)[0] ?? '',
      limit: pageSize,
    }),
  pruneConditions: (tx, many) =>
    prune.pruneConditions(tx, { id: many.runId, organisationId: many.pair.organisationId }, 'things'),
  copiesOfOtherStorefronts: (tx, many, at) =>
    prune.copiesOfOtherStorefronts(tx, many.pair, { ...ofThings, scope: 'storefront:*>*' }, copies(thingIds(many, at))),
  findCandidates: 'whole',
  findCopiesWithoutSource: 'whole',
  refusedCopies: 'whole',
  requestPruneConfirmation: 'whole',
  answerPrune: 'whole',
}

const ofListed: EveryQuery<typeof destinationItems> = {
  saveListed: (tx, many, at) =>
    destinationItems.saveListed(
      tx,
      many.runId,
      'products',
      newIds(at).map((id) => ({ destinationId: id, keys: [`name:${id}`], body: { id } })),
    ),
  dropListed: (tx, many, at) => destinationItems.dropListed(tx, many.runId, 'products', copies(listedIds(many, at))),
  lookUpKeys: (tx, many, at) =>
    destinationItems.lookUpKeys(
      tx,
      many.runId,
      'products',
      listedIds(many, at).map((id) => `name:${id}`),
    ),
  keysOf: (tx, many, at) => destinationItems.keysOf(tx, many.runId, 'products', copies(listedIds(many, at))),
  listedItems: (tx, many, at) => destinationItems.listedItems(tx, many.runId, 'products', copies(listedIds(many, at))),
  markSeen: (tx, many, at) => destinationItems.markSeen(tx, many.runId, 'products', copies(listedIds(many, at))),
  unseenItems: (tx, many, at) =>
    destinationItems.unseenItems(tx, many.runId, 'products', { after: listedIds(many, at, 1)[0] ?? '', limit: 5 }),
  forgetListed: 'whole',
}

const ofStaged: EveryQuery<typeof staged> = {
  stageItems: (tx, many, at) =>
    staged.stageItems(
      tx,
      many.runId,
      { pass: 'things', level: null },
      newIds(at).map((sourceId) => ({ sourceId, parentId: null, body: {} })),
    ),
  stagedPage: (tx, many, at) =>
    staged.stagedPage(tx, many.runId, 'things', { level: 0, sourceId: listedIds(many, at, 1)[0] ?? '' }, pageSize),
  stagedByIds: (tx, many, at) => staged.stagedByIds(tx, many.runId, 'things', listedIds(many, at)),
  levelItems: 'whole',
  countStaged: 'whole',
  clearRunCopies: 'whole',
}

const ofFailed: EveryQuery<typeof failedItems> = {
  coverFailed: (tx, many, at) =>
    failedItems.coverFailed(
      tx,
      many.runId,
      thingIds(many, at, batchSize).map((sourceId) => ({ component: 'things', sourceId, issueId: many.issueId })),
    ),
  closeEmptied: (tx, many) => failedItems.closeEmptied(tx, [many.issueId]),
}

const ofItem = (many: ManyRows, at: Position) => ({
  organisationId: many.pair.organisationId,
  component: 'things',
  sourceStoreId: many.pair.sourceStoreId,
  sourceId: afterOf(at),
  destinationId: null,
})

const ofOtherModules: Record<string, PageStatement> = {
  listMappingRows: (tx, many, at) =>
    listMappingRows(
      tx,
      { ...many.pair, id: many.runId },
      { components: ['things', 'variants'] },
      { after: { ...ofThings, sourceId: afterOf(at) }, limit: 100 },
    ),
  leftoverIntents: (tx, many) => leftoverIntents(tx, many.pair),
  inScopeAtDestination: (tx, many, at) =>
    inScopeAtDestination(tx, many.pair, {
      runId: many.runId,
      ...ofThings,
      ids: copies(listedIds(many, at)),
      neededToo: true,
    }),
  soldOf: (tx, many, at) => soldOf(tx, many.storeHash, listedIds(many, at, 50).map(Number)),
  findMappings: (tx, many, at) => findMappings(tx, ofItem(many, at), 10),
  listItemEvents: (tx, many, at) =>
    listItemEvents(
      tx,
      ofItem(many, at),
      copies([afterOf(at)]).map((destinationId) => ({
        ...many.pair,
        sourceId: afterOf(at),
        destinationId,
      })),
      10,
    ),
  takeDue: (tx) => takeDue(tx, 20),
  isStillDue: async (tx) => {
    for (const effect of await takeDue(tx, 1)) await isStillDue(tx, effect)
  },
}

const all: Record<string, PageStatement | ElseWhere> = {
  ...ofLedger,
  ...ofMappings,
  ...ofDryRuns,
  ...ofOthers,
  ...ofPrune,
  ...ofListed,
  ...ofStaged,
  ...ofFailed,
  ...ofOtherModules,
}

/** What the engine asks and records for a page, an item or a batch, by the name of the query. */
export const pageStatements = Object.entries(all).flatMap(([name, statement]) =>
  typeof statement === 'string' ? [] : [{ name, statement }],
)

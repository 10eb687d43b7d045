import { sql } from 'kysely'
import type { Difference } from '../../../src/contract/differences.ts'
import { leftPartsRemedy, renamedCopyRemedy } from '../../../src/contract/issue-codes.ts'
import type { Issue } from '../../../src/contract/issues.ts'
import { productOrder } from '../../../src/entities/catalog/product-order.ts'
import { oldAddresses } from '../../../src/entities/content/redirects.ts'
import { componentOf, entities, scopeOf } from '../../../src/entities/registry.ts'
import { compareStores, pairAndCompare, type RowFinding } from '../../comparison/compare-stores.ts'
import type { State } from '../../comparison/store-side.ts'
import { tableRules } from '../../comparison/table-rules.ts'
import { onlyVerifySees } from '../../entities/entity-facts.ts'
import type { World } from '../../harness/world.ts'
import type { StoreName } from '../../harness/world-sandbox.ts'
import { isDangling } from '../churn/judge.ts'
import { idIn, knownPairs, mappingsOf } from '../churn/story.ts'
import { actionsOf, deletedBy, planFor, planOf, pruned } from '../planned.ts'
import { ownOf } from '../two-storefronts.ts'

interface Judged {
  world: World
  /** The source, whenever a run began. */
  moments: State[]
  /** The sources that were copied before. */
  copied: Set<StoreName>
  /** What happens to a run that writes while it goes. Absent: nothing. */
  disturb?: ((run: string) => Promise<void>) | undefined
}

/** All but one that compares what its own story compares: see test/comparison/planting.ts. */
export const phases = entities.map(({ key }) => key).filter((key) => key !== 'channel-currencies')

export interface Settings {
  conflictStrategy: 'skip' | 'update' | 'replace'
  entities?: readonly string[]
  selection?: object
  source?: StoreName
  sourceStorefront?: string
  destStorefront?: string
}

interface Runs {
  dry: string
  real: string
  issues: Issue[]
  /** What failed, with its parts. */
  failed: ReadonlySet<string>
  strategy: Settings['conflictStrategy']
  ofStorefront: boolean
  /** Another source was copied before. */
  besideOthers: boolean
  /** Copies whose originals the source still has, by their destination ids. */
  copies: ReadonlySet<string>
}

const about = ({ component, item }: Pick<Issue, 'component' | 'item'>) => `${component} ${item.sourceId}`
const isFailure = ({ severity, state }: Issue) => severity === 'failure' && state === 'open'
const openOf = (issues: Issue[]) => new Set(issues.filter(({ state }) => state === 'open').map(about))

/**
 * Runs dry, then for real, and once more: the dry run has to foresee what the real one does, both stores have to be the same
 * afterwards as far as the strategy makes them so, verify has to see what the comparison sees, and nothing is left to do.
 *
 * @returns whatever is otherwise, one line each
 */
export async function judgeRun(judged: Judged, settings: Settings): Promise<string[]> {
  const { world, moments, copied, disturb } = judged
  const source = settings.source ?? 'source'
  const besideOthers = [...copied].some((one) => one !== source)
  copied.add(source)
  const run = async (more: object = {}) => {
    const limits = settings.conflictStrategy === 'replace' ? { pruneLimitPercent: 100, pruneLimitItems: 10_000 } : {}
    const id = await world.migrate({ customerConsent: true, ...settings, ...limits, ...more })
    if (!('mode' in more)) await disturb?.(id)
    return (await world.finished(id, { seconds: 280 })).requestId
  }
  moments.push(await world.state(source))
  const dry = await run({ mode: 'dry-run' })
  const before = await world.state('destination')
  const real = await run()
  const issues = [...(await world.issues(real)), ...(await world.findings(real))]
  const runs = {
    dry,
    real,
    issues,
    failed: await failedIn(world, real),
    strategy: settings.conflictStrategy,
    ofStorefront: settings.sourceStorefront !== undefined,
    besideOthers,
    copies: await copiesIn(judged),
  }
  const { differences } = await world.verify(real)
  const isWhole = settings.entities?.length === phases.length && settings.sourceStorefront === undefined
  const wrong = [
    ...(await unforeseen(world, runs)).filter((line) => disturb === undefined || !mayBeUncounted(line)),
    ...differences.filter((one) => !isExplained(one, runs)).map((one) => `verify: ${wordsOf(one)}`),
    ...(isWhole ? await overlooked(judged, differences, runs) : []),
    ...changedElsewhere(before, await world.state('destination'), settings),
  ]
  await world.resetRequests('destination')
  return [...wrong, ...(await doneAgain(world, await run(), runs))]
}

/** What a run over one storefront has changed of the others. */
function changedElsewhere(before: State, after: State, { destStorefront }: Settings): string[] {
  if (destStorefront === undefined) return []
  const others = (before.channels ?? []).flatMap(({ id }) => (String(id) === destStorefront ? [] : Number(id)))
  return others.flatMap((channel) => {
    const [was, is] = [rowsOfChannel(before, channel), rowsOfChannel(after, channel)]
    const only = (of: Set<string>, other: Set<string>, what: string) =>
      [...of].filter((row) => !other.has(row)).map((row) => `${what} ${channel}: ${row}`)
    return [...only(was, is, 'gone from'), ...only(is, was, 'new on')]
  })
}

function rowsOfChannel(state: State, channel: number): Set<string> {
  const { categories, links, metafields } = ownOf(state, channel)
  const own = { categories, links, category_metafields: metafields }
  const tables: [string, object[]][] = Object.entries({ ...state, ...own })
  return new Set(
    tables.flatMap(([table, rows]) =>
      rows
        .filter((row) => table in own || ('channel_id' in row && row.channel_id === channel))
        .map((row) => `${table} ${JSON.stringify(row)}`),
    ),
  )
}

/** In what the dry run was wrong, and what failed. */
async function unforeseen(world: World, { dry, real, issues, strategy }: Runs): Promise<string[]> {
  const [plan, done] = [await planOf(world, dry), await actionsOf(world, real)]
  const foreseen = await world.issues(dry)
  const refusals = foreseen.filter(({ code }) => code === 'would_be_refused')
  const isLeft = (one: Issue) => isLeftToPeople(one) || (strategy === 'skip' && one.remedy === renamedCopyRemedy)
  const failing = new Set(foreseen.filter(isLeft).map(about))
  // Of names, dry runs foresee which new items cannot have them.
  const isUnforeseen = (one: Issue) => !isLeft(one) || (one.platform === null && !failing.has(about(one)))
  const refused = [...[...issues.filter(isFailure), ...refusals].map(about), ...(await rootsOfFailed(world, real))].map(
    (one) => `${one} `,
  )
  // Stock goes with its variant.
  const owner = (one: string) => one.replace(/^inventory \d+\/variant\/(\d+)( .*)?$/, 'product-variants $1$2')
  const isRefused = (one: string) => refused.some((item) => owner(one).startsWith(item))
  const only = (of: Set<string>, other: Set<string>) => [...of].filter((one) => !other.has(one) && !isRefused(one))
  const wouldGo = await pruned(world, dry)
  const { pruned: wouldBeDeleted = {} } = (await planFor(world, dry)) ?? {}
  const { phases } = await world.detail(real)
  const counts = phases.flatMap(({ components }) => components).filter((one) => one.pruned > 0)
  const said = (of: object) => JSON.stringify(Object.entries(of).sort())
  const [expected, made] = [said(wouldBeDeleted), said(Object.fromEntries(counts.map((one) => [one.key, one.pruned])))]
  return [
    ...issues.filter((one) => isFailure(one) && isUnforeseen(one)).map((one) => `failure: ${wordsOfIssue(one)}`),
    ...only(plan, done).map((one) => `only in the dry run: ${one}`),
    ...only(done, plan).map((one) => `only in the real run: ${one}`),
    ...(expected === made ? [] : [`deleted: ${made} instead of ${expected}`]),
    ...[...(await deletedBy(world, real))]
      .filter((one) => !wouldGo.has(one))
      .map((one) => `deleted unforeseen: ${one}`),
  ]
}

/** A process that was killed may have written it, so that the next one finds it as it should be (B2). */
function mayBeUncounted(line: string): boolean {
  const [, component = '', action] = /^only in the dry run: (\S+) .* (created|updated)$/.exec(line) ?? []
  return action === 'updated' || (action === 'created' && componentOf(component).recovery === 'resend')
}

/**
 * What it needs is in no phase of the run, it is like another one in its name only, two apps have a metafield with one
 * key, only `replace` deletes what is in its way, or it is an address without a state, which is accepted with a new customer
 * only. Under `skip`, the copy of another one also keeps the name that it gets.
 */
function isLeftToPeople({ code, component, remedy }: Issue): boolean {
  if (code === 'platform_refused' && component === 'customer-addresses') return true
  if (code === 'natural_key_collision') return componentOf(component).ofClient === true
  return code === 'missing_reference' || code === 'natural_key_conflict' || remedy === leftPartsRemedy
}

/** What the next run with the same settings still does or says for the first time. */
async function doneAgain(world: World, again: string, { issues }: Runs): Promise<string[]> {
  const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
  const [before, now] = [issues, await world.issues(again)].map((all) => new Set(all.map(wordsOfIssue)))
  const failures = issues.filter(isFailure).map(wordsOfIssue)
  return [
    // What failed is tried again.
    ...(failures.length > 0 ? [] : writes).map(({ method, path }) => `written again: ${method} ${path}`),
    ...[...(await actionsOf(world, again))].map((one) => `done again: ${one}`),
    ...[...(now ?? [])].filter((line) => !before?.has(line)).map((line) => `only the second run says: ${line}`),
    ...failures.filter((line) => !now?.has(line)).map((line) => `failed only at first: ${line}`),
  ]
}

/** What the comparison sees and verify does not. */
async function overlooked({ world, moments }: Judged, differences: Difference[], runs: Runs): Promise<string[]> {
  const [here, there] = [await world.state('source'), await world.state('destination')]
  const { findings } = pairAndCompare(here, there, await knownPairs({ world, moments }, there))
  // Two items that have become each other's copy are as good.
  const unequal = new Set(compareStores(here, there).map(({ entity }) => entity))
  const seen = new Set(
    differences.flatMap(({ component, item, destinationId }) => [
      `${component} ${item.sourceId} -`,
      `${component} - ${destinationId}`,
    ]),
  )
  const open = openOf(runs.issues)
  return findings.flatMap((finding) => {
    const { table, entity } = finding
    const [source, destination] = [idOf(here, table, finding.sourceId), idOf(there, table, finding.destinationId)]
    if (isAsMeant(finding, runs)) return []
    if (!unequal.has(entity) || open.has(`${entity} ${source}`) || isOwnAffair(entity)) return []
    // What belongs to an erased customer.
    const row = here[table]?.find(({ id }) => id === finding.sourceId)
    if (finding.kind === 'missing' && open.has(`customers ${row?.customer_id}`)) return []
    if (isDangling(`${finding.key} ${JSON.stringify(finding.source)}`)) return []
    // Where products are in their categories is compared by category.
    const isOrder = entity === 'products' && finding.field === 'categories'
    const isOrderSeen = isOrder && differences.some(({ component }) => component === 'category-product-order')
    const isSeen = isOrderSeen || seen.has(`${entity} ${source} -`) || seen.has(`${entity} - ${destination}`)
    return isSeen ? [] : [`verify does not see: ${wordsOfFinding(finding)} (${source} ${destination})`]
  })
}

function isAsMeant({ entity, kind, source, destination }: RowFinding, { strategy }: Runs): boolean {
  const { addedTo, remove, shared } = componentOf(entity)
  // Answers to form fields that only the destination has stay there, and runs make redirects.
  if (kind === 'extra') return remove === undefined || entity === oldAddresses.component.key
  // Two items that have exchanged their names may have one copy.
  if (strategy === 'skip' && shared) return true
  // What shoppers have added stays.
  if (addedTo && Array.isArray(source) && Array.isArray(destination))
    return source.every((one) => destination.includes(one))
  return kind === 'different' && (source ?? '') === (destination ?? '')
}

function idOf(state: State, table: string, id: number | undefined): string | undefined {
  const rules = tableRules.find((one) => one.table === table)
  const row = state[table]?.find((one) => one.id === id)
  return rules && row && idIn(state, rules, row)
}

/** Items that failed, and what is in the way of one. */
async function failedIn({ database }: World, run: string): Promise<Set<string>> {
  const { rows } = await sql<Record<'component' | 'sourceId', string> & { destinationId: string | null }>`
    select f.component, f.source_id as "sourceId", i.destination_id as "destinationId"
    from failed_items f join issues i on i.id = f.issue_id where f.run_id = ${run}`.execute(database)
  return new Set(
    rows.flatMap(({ component, sourceId, destinationId }) => [
      `${component} ${sourceId}`,
      `${component} at the destination ${destinationId}`,
    ]),
  )
}

/** Items of which a part failed: they count as updated only if something else of them was written. */
async function rootsOfFailed({ database }: World, run: string): Promise<string[]> {
  const { rows } = await sql<{ root: string }>`
    select own.component || ' ' || own.root_id as root from ledger own
    join ledger part on part.run_id = own.run_id and part.pass = own.pass and part.root_id = own.root_id
    where own.run_id = ${run} and own.source_id = own.root_id and own.component <> part.component
      and part.state = 'failed'`.execute(database)
  return rows.map(({ root }) => root)
}

/** Copies of what the source has now, by their destination ids. */
async function copiesIn({ world, moments }: Judged): Promise<Set<string>> {
  const here = moments.at(-1) ?? {}
  const existing = new Set(
    tableRules.flatMap((rules) => (here[rules.table] ?? []).map((row) => `${rules.entity} ${idIn(here, rules, row)}`)),
  )
  const copies = (await mappingsOf(world)).filter(({ component, sourceId }) => existing.has(`${component} ${sourceId}`))
  return new Set(copies.map(({ component, destinationId }) => `${component} ${destinationId}`))
}

function isExplained(
  difference: Difference,
  { issues, failed, strategy, ofStorefront, besideOthers, copies }: Runs,
): boolean {
  const { component, kind, item, destinationId, living, kept, fields } = difference
  if (failed.has(`${component} ${item.sourceId}`)) return true
  if (destinationId !== null && failed.has(`${component} at the destination ${destinationId}`)) return true
  if (living || kept || isOwnAffair(component)) return true
  // The source may show none of them by mistake, or they are of the whole store, so nothing of them is deleted.
  const withheld = issues.some((issue) => issue.code === 'prune_withheld' && issue.component === component)
  if (kind === 'extra' && (withheld || (ofStorefront && scopeOf(component) === 'store'))) return true
  // The source has moved it to another storefront: it stays at the one where it was.
  if (kind === 'extra' && ofStorefront && copies.has(`${component} ${destinationId}`)) return true
  // The other source has the address.
  if (kind === 'different' && fields.every(({ path }) => path === 'url' || path === 'custom_url') && besideOthers)
    return true
  // The platform takes no position from a product.
  if (kind === 'different' && component === productOrder.key && fields.every(isPartly)) return true
  return openOf(issues).has(about({ component, item: item as Issue['item'] })) || leaves(strategy, kind, component)
}

/** Whether the destination has all that the source has, and more. */
function isPartly({ source, destination }: Difference['fields'][number]): boolean {
  const [all, there] = [source, destination].map((list) => (list as object[]).map((one) => JSON.stringify(one)))
  return all?.every((one) => there?.includes(one)) === true
}

/** What a run of this strategy leaves as it is. */
function leaves(strategy: string, kind: string, component: string): boolean {
  // Values are only seen with their options and modifiers.
  if (component in onlyVerifySees || componentOf(component).carried) return true
  // What belongs to an item that existed before is left with it, also where it is read by itself.
  const isWhole = entities.some(({ passes }) => passes.some((pass) => pass.root === component && !pass.below))
  if (kind === 'missing') return strategy === 'skip' && !isWhole
  if (kind === 'different') return strategy === 'skip'
  const isDeleted = ownerOf(component)?.prune !== 'never' && componentOf(component).remove !== undefined
  return strategy !== 'replace' || !isDeleted
}

/** Orders are written once, and stock is that of the destination. */
function isOwnAffair(component: string): boolean {
  const isWrittenOnce = ownerOf(component)?.passes.some(({ createOnly }) => createOnly) === true
  return isWrittenOnce || componentOf(component).setOnNew !== undefined
}

function ownerOf(component: string) {
  return entities.find(({ components }) => components.some(({ key }) => key === component))
}

function wordsOfFinding({ entity, kind, key, field, source, destination }: RowFinding): string {
  const values = kind === 'different' ? `${JSON.stringify(source)} -> ${JSON.stringify(destination)}` : ''
  return `${entity} ${kind} ${key} ${field ?? ''} ${values}`.slice(0, 500)
}

function wordsOfIssue({ component, code, item, message, remedy, platform }: Issue): string {
  const call = platform ? ` ${platform.method} ${platform.path}` : ''
  return `${component} ${code} ${item.sourceId} ${item.name}: ${message} ${remedy}${call}`
}

function wordsOf({ component, kind, item, destinationId, fields }: Difference): string {
  const said = fields.map(
    ({ path, source, destination }) => `${path} ${JSON.stringify(source)} -> ${JSON.stringify(destination)}`,
  )
  return `${component} ${kind} ${item.sourceId} ${item.name} ${destinationId} ${said.join(', ')}`.slice(0, 500)
}

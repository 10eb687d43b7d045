import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import { dropListed, listedItems } from '../../db/ledger/destination-items.ts'
import { ageOfLatestMs } from '../../db/ledger/mappings.ts'
import { noteSettling } from '../../db/runs/run-life.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { Reading } from '../../entities/core/reading.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { isStorefrontRun } from '../scope/partial-run.ts'
import { partOfList } from '../scope/storefront-scope.ts'
import { askFor, existingByIds, singleReading } from './by-ids.ts'
import { keepListed, type ListedBody, listAgain } from './destination-lister.ts'

/**
 * Reads by id the copies that the destination's list did not show, and saves those that exist as if it had: only what
 * is missing then counts as deleted (G1). Where items cannot be read by id, the list is read again, once per run and
 * after each wait.
 */
export async function findUnlisted(
  context: RunContext,
  pass: Pass,
  destinationIds: string[],
  { compares }: { compares: boolean },
): Promise<void> {
  const { database, run } = context
  const listed = await listedItems(database, run.id, pass.root, destinationIds)
  const absent = destinationIds.filter((id) => !listed.has(id))
  if (absent.length === 0) return
  const reading = await partOfList(context, 'destination', pass, singleReading('destination', pass, compares))
  if (reading === null) return
  const found = canAsk(context, pass) ? await askFor(context, 'destination', pass, reading, absent) : undefined
  if (found) return keepListed(context, pass, await withLate(context, pass, reading, absent, found), { compares })
  const waited = await waitForLists(context, pass, absent)
  const key = `${pass.key}:again:destination`
  if (!waited && (await readCheckpoint(database, run.id, key)).finished) return
  await listAgain(context, pass, compares)
  await context.recorder.record((tx) => writeCheckpoint(tx, run.id, key, { position: '', pages: 0, finished: true }))
}

/** What was found of `absent`, including what appears only after lists have caught up. */
async function withLate(
  context: RunContext,
  pass: Pass,
  reading: Reading,
  absent: string[],
  found: PlatformItem[],
): Promise<PlatformItem[]> {
  const existing = new Set(found.map((item) => String(item[reading.idField])))
  const still = absent.filter((id) => !existing.has(id))
  if (!(await waitForLists(context, pass, still))) return found
  return [...found, ...((await askFor(context, 'destination', pass, reading, still)) ?? [])]
}

/**
 * Copies as they are now, by id. If some that were just made are missing, they are read again once lists have had time
 * to show them (G1).
 */
export async function existingCopies(
  context: RunContext,
  pass: Pass,
  destinationIds: string[],
  { compares }: { compares: boolean },
): Promise<Map<string, ListedBody>> {
  const existing = await existingByIds(context, pass, destinationIds, { compares })
  const absent = destinationIds.filter((id) => !existing.has(id))
  if (!(await waitForLists(context, pass, absent))) return existing
  return new Map([...existing, ...(await existingByIds(context, pass, absent, { compares }))])
}

/**
 * Lists and filters lag, and the platform would accept a second item if it has no key. So a copy that was just made is
 * waited for as long as a write that had no answer. An item at an address of its own is shown at once.
 *
 * @returns whether it waited
 */
async function waitForLists(context: RunContext, pass: Pass, destinationIds: string[]): Promise<boolean> {
  const { clock, database, lease, pair, references, run, waits } = context
  const hasAddress = pass.lookUpById !== undefined && 'address' in pass.lookUpById && canAsk(context, pass)
  if (hasAddress || componentOf(pass.root).recovery !== 'baseline') return false
  const copies = { scope: references.scope(pass.root), component: pass.root, destinationIds }
  const ageMs = await ageOfLatestMs(database, pair, copies)
  const leftMs = ageMs === null ? 0 : waits.requestTimeoutMs + waits.settleMs - ageMs
  if (leftMs <= 0) return false
  await noteSettling(database, run.id, leftMs)
  await clock.sleep(leftMs, lease.stop)
  return true
}

/**
 * Reads copies again, as they are now: those that are gone are dropped from the saved list, and the others are saved as
 * they are. Where they cannot be read by id, the whole list is read again, but only for the first few pages with
 * differences.
 *
 * @returns whether it read them
 */
export async function refreshListed(
  context: RunContext,
  pass: Pass,
  destinationIds: string[],
  { compares }: { compares: boolean },
): Promise<boolean> {
  const { database, run } = context
  const reading = await partOfList(context, 'destination', pass, singleReading('destination', pass, compares))
  if (reading === null) return false
  const found = canAsk(context, pass) ? await askFor(context, 'destination', pass, reading, destinationIds) : undefined
  if (found) {
    const existing = new Set(found.map((item) => String(item[reading.idField])))
    const gone = destinationIds.filter((id) => !existing.has(id))
    await context.recorder.record((tx) => dropListed(tx, run.id, pass.root, gone))
    await keepListed(context, pass, found, { compares })
    return true
  }
  const key = `${pass.key}:compared:destination`
  const { pages } = await readCheckpoint(database, run.id, key)
  if (pages >= mostRelistings) return false
  await listAgain(context, pass, compares)
  const next = { position: '', pages: pages + 1, finished: false }
  await context.recorder.record((tx) => writeCheckpoint(tx, run.id, key, next))
  return true
}

/** Our choice: with more, a store that differs everywhere would be listed once for each of its pages. */
const mostRelistings = 5

/** The address of an item does not say whether a storefront has it; its list does (D3). */
function canAsk(context: RunContext, { storefront, lookUpById }: Pass): boolean {
  return !(isStorefrontRun(context) && storefront && lookUpById && 'address' in lookUpById)
}

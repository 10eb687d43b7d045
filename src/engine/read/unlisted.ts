import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import { dropListed, listedItems } from '../../db/ledger/destination-items.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { RunContext } from '../context/context.ts'
import { isStorefrontRun } from '../scope/partial-run.ts'
import { partOfList } from '../scope/storefront-scope.ts'
import { askFor, singleReading } from './by-ids.ts'
import { keepListed, listAgain } from './destination-lister.ts'

/**
 * Asks the destination for copies that its list did not show, and keeps those that exist as if it had: only what is not there then
 * counts as deleted (G1). Where the platform answers no such question, the list is read again, once in a run.
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
  if (found) return keepListed(context, pass, found, { compares })
  const key = `${pass.key}:again:destination`
  if ((await readCheckpoint(database, run.id, key)).finished) return
  await listAgain(context, pass, compares)
  await context.recorder.record((tx) => writeCheckpoint(tx, run.id, key, { position: '', pages: 0, finished: true }))
}

/**
 * Looks at copies again, as they are now: listed ones that are gone are no longer listed, and others are listed as they stand. Where
 * they cannot be asked for, the list is read again, for so many pages of differences and no more.
 *
 * @returns whether it looked
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

/** Our choice: with more, a store that differs everywhere would be read once for each page of it. */
const mostRelistings = 5

/** The address of an item does not say whether a storefront has it; its list does (D3). */
function canAsk(context: RunContext, { storefront, lookUpById }: Pass): boolean {
  return !(isStorefrontRun(context) && storefront && lookUpById && 'address' in lookUpById)
}

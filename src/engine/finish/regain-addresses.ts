import {
  type AddressLists,
  type MovedCopy,
  movedCopies,
  type NeedlessRedirect,
  needlessRedirects,
} from '../../db/addresses/freed-addresses.ts'
import { readCheckpoint } from '../../db/ledger/checkpoints.ts'
import type { IssueToWrite } from '../../db/ledger/issues.ts'
import { statesOf } from '../../db/ledger/ledger.ts'
import { forgetMappings } from '../../db/ledger/mappings.ts'
import { oldAddresses } from '../../entities/content/redirects.ts'
import { type Draft, draft, type PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { MissingReference } from '../../entities/core/references.ts'
import { entities, passOf } from '../../entities/registry.ts'
import { inParts } from '../../model/in-parts.ts'
import type { RunContext } from '../context/context.ts'
import { openWriter } from '../dry-run/open-writer.ts'
import { completeAddresses, type LateAddress } from '../pass/complete-late.ts'
import { resolveLate } from '../plan/left-roles.ts'
import { notPrunedIssue } from '../plan/plan-issues.ts'
import { recordIssues } from '../plan/record-plan.ts'
import { readNow } from '../read/by-ids.ts'
import { unlessRefused } from '../read/refused-list.ts'
import { readAgain } from '../read/source-reader.ts'
import { isPartialRun } from '../scope/partial-run.ts'

/** Items handled at a time. */
const atOnce = 50

/**
 * Gives a copy that got another address, because its own was in use, its own address once that is free, and removes the
 * redirect that is no longer needed (decision 0016). Only if the lists of the whole store show that the address is
 * free or becomes free, because copies exchange their addresses, and never under `skip`.
 */
export async function regainAddresses(context: RunContext): Promise<void> {
  const { run, database, pair, references } = context
  if (run.mode !== 'full' || run.conflictStrategy === 'skip' || isPartialRun(context)) return
  const { of } = oldAddresses
  const component = oldAddresses.component.key
  const lists: AddressLists = {
    runId: run.id,
    components: of,
    redirects: { component, scope: references.scope(component) },
  }
  if (!(await areAllRead(context, [...of, component]))) return
  const moved = await movedCopies(database, pair, lists)
  const left = leaving(moved)
  const isInTheWay = inTheWay(left)
  const freed = left.filter((one) => one.holders.length === 0 && !isInTheWay(one))
  await eachPass(context, freed, async (entity, pass, own) => {
    for (const some of inParts(own, atOnce))
      await completeAddresses(context, entity, pass, await completions(context, pass, some), 'own')
  })
  await exchange(
    context,
    left.filter((one) => !freed.includes(one)),
  )
  await unlessRefused(context, oldAddresses, () => removeNeedless(context, lists))
}

/** Whether all lists were read: an item that was not listed might have the address. */
async function areAllRead({ database, run }: RunContext, components: string[]): Promise<boolean> {
  for (const component of components) {
    const pass = passOf(component)
    if (!(await readCheckpoint(database, run.id, `${pass?.key}:destination`)).finished) return false
  }
  return true
}

type Work = (entity: Entity, pass: Pass, own: MovedCopy[]) => Promise<void>

async function eachPass(context: RunContext, copies: MovedCopy[], work: Work): Promise<void> {
  for (const entity of entities)
    for (const pass of entity.passes) {
      const own = copies.filter((one) => one.component === pass.root)
      if (own.length > 0 && context.run.phases.includes(entity.key))
        await unlessRefused(context, { entity, pass }, () => work(entity, pass, own))
    }
}

/**
 * Copies that exchange their addresses get them once none is in the way of another one: those that are go to addresses
 * that no page has. Only where every one of them can be written, so that none stays there.
 */
async function exchange(context: RunContext, copies: MovedCopy[]): Promise<void> {
  const writable = new Map<string, LateAddress>()
  await eachPass(context, copies, async (_entity, pass, own) => {
    for (const some of inParts(own, atOnce))
      for (const one of await completions(context, pass, some))
        writable.set(nameOf({ component: pass.root, sourceId: one.resolved.draft.id }), one)
  })
  const left = leaving(copies.filter((one) => writable.has(nameOf(one))))
  const lateOf = (some: MovedCopy[]) => some.flatMap((one) => writable.get(nameOf(one)) ?? [])
  await eachPass(context, left.filter(inTheWay(left)), (entity, pass, own) =>
    completeAddresses(context, entity, pass, lateOf(own), 'parked'),
  )
  await eachPass(context, left, (entity, pass, own) => completeAddresses(context, entity, pass, lateOf(own), 'own'))
}

/** Leaves out copies whose address something keeps: what is no copy, or a copy that does not get its own address either. */
function leaving(copies: MovedCopy[]): MovedCopy[] {
  const names = new Set<string | null>(copies.map(nameOf))
  const left = copies.filter(({ holders }) => holders.every((holder) => names.has(holder)))
  return left.length === copies.length ? left : leaving(left)
}

function inTheWay(copies: MovedCopy[]): (one: MovedCopy) => boolean {
  const holders = new Set(copies.flatMap((one) => one.holders))
  return (one) => holders.has(nameOf(one))
}

function nameOf({ component, sourceId }: Pick<MovedCopy, 'component' | 'sourceId'>): string {
  return `${component}:${sourceId}`
}

/** Leaves out items that the source no longer has, copies that were adopted, and those that are not finished. */
async function completions(context: RunContext, pass: Pass, freed: MovedCopy[]): Promise<LateAddress[]> {
  const ids = freed.map(({ sourceId }) => sourceId)
  const currentPath = new Map(freed.map((one) => [one.sourceId, one.destinationPath]))
  const items = await readAgain(context, pass, ids)
  const resolved = await resolveLate(context, pass, items)
  const requested = ids.map((sourceId) => ({ component: pass.root, sourceId }))
  const copies = await context.references.mappings(requested)
  const states = await statesOf(context.database, context.run.id, pass.key, ids)
  return items.flatMap((item, at) => {
    const one = resolved[at]
    if (!one || one instanceof MissingReference) return []
    const { id } = one.draft
    const copy = copies.get(`${pass.root}:${id}`)
    const failed = states.some(({ rootId, state }) => rootId === id && (state === 'failed' || state === 'pending'))
    if (copy?.origin !== 'created' || failed) return []
    return [{ item, resolved: one, mapping: copy, currentPath: currentPath.get(id) ?? '' }]
  })
}

async function removeNeedless(context: RunContext, lists: AddressLists): Promise<void> {
  const { run, database, pair } = context
  const { entity, pass, component } = oldAddresses
  if (!run.phases.includes(entity.key)) return
  const writer = openWriter(context, (wait) => wait())
  const needless = await needlessRedirects(database, pair, lists)
  const ids = needless.map(({ destinationId }) => destinationId)
  const now = (await readNow(context, 'destination', pass, ids)).map(oldAddresses.read)
  for (const made of needless) {
    context.lease.stop.throwIfAborted()
    const existing = draft(made.component, made.destinationId, {}, { name: made.path, path: made.path })
    const found = now.find(({ id }) => id === made.destinationId)
    if (found && !leadsToCopy(found, made)) {
      await context.recorder.record((tx, tally) => recordIssues(tx, tally, context, [keptIssue(existing)]))
      continue
    }
    const call = component.remove?.call(existing, '')
    if (!call) continue
    const target = { pass: pass.key, rootId: made.sourceId, parentId: '', prunes: false }
    await writer.remove(component, existing, call, target, (refusal) => async (tx) => {
      // If the platform refuses, the next run tries again.
      if (!refusal) await forgetMappings(tx, pair, [made])
    })
  }
}

/** Whether a redirect still leads where we made it lead. */
function leadsToCopy({ compare }: Draft, { targetComponent, targetId, path }: NeedlessRedirect): boolean {
  const made = oldAddresses.draft({ component: targetComponent, sourceId: '', destinationId: targetId, path }, 0)
  const [there, ours] = [compare.to, made?.compare.to].map((to) => to as PlatformItem | undefined)
  return there?.type === ours?.type && there?.entity_id === ours?.entity_id
}

/** The merchant has pointed it elsewhere, so it is theirs by now. */
function keptIssue({ component, id, name, path }: Draft): IssueToWrite {
  const message = `The redirect from ${path} was not deleted although the page to which it led has that address again, because it leads elsewhere by now.`
  return notPrunedIssue(oldAddresses.entity, { component, id, item: { name, sku: null, path } }, message)
}

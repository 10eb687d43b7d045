import { takeKeys } from '../../db/ledger/simulated-mappings.ts'
import type { WriteCall } from '../../entities/core/calls.ts'
import type { Component } from '../../entities/core/component.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { itemWords } from '../../entities/item-words.ts'
import { limitsOf } from '../../entities/registry.ts'
import { type Prediction, predictRefusal } from '../../model/refusal-rules.ts'
import type { RunContext } from '../context/context.ts'
import type { Entry } from '../core/recorder.ts'
import { simulatedId } from '../core/simulated-id.ts'
import { twinsIn } from '../send/merged-items.ts'
import { countPruned } from '../send/remove.ts'
import type {
  CreateRequest,
  Outcome,
  Refusal,
  RemoveTarget,
  SavedDraft,
  Updated,
  UpdateEntry,
  UpdateRequest,
  UpdateTarget,
  Writes,
} from '../send/writes.ts'
import { PictureCheck } from './picture-check.ts'
import { addressKey, heldByOther, keysTaken } from './taken-keys.ts'

/**
 * The writer of a dry run (F2): records the results that calls would have, without making any. It refuses what the
 * platform is known to refuse, and names the rule.
 */
export class DryRunWriter implements Writes {
  private readonly context: RunContext
  /** Items take their keys one after another. */
  private turn: Promise<unknown> = Promise.resolve()
  private readonly pictures: PictureCheck

  constructor(context: RunContext) {
    this.context = context
    this.pictures = new PictureCheck(context)
  }

  async create(component: Component, requests: CreateRequest[]): Promise<Outcome[]> {
    const twins = await twinsIn(this.context, component, requests)
    const outcomes = await Promise.all(requests.map((request) => this.outcomeOf(request, twins.get(request))))
    const entries = requests.map(({ entry }, at) => entry(outcomes[at] as Outcome))
    await this.context.recorder.record(async (tx, tally, bulk) => {
      for (const entry of entries) await entry(tx, tally, bulk)
    })
    return outcomes
  }

  async update(
    _component: Component,
    desired: Draft,
    call: WriteCall,
    target: UpdateTarget,
    entry: UpdateEntry,
  ): Promise<Updated> {
    this.context.lease.stop.throwIfAborted()
    const fields = target.before ? overwritten(target.before.body) : sentBy(call, desired)
    const changed = Object.fromEntries(fields.map((field) => [field, desired.body[field]]))
    const sent = { ...desired, body: changed, children: [] }
    const predicted = predictRefusal(sent, 'update', limitsOf) ?? (await this.pictures.refusalOf(sent))
    const held = predicted ? undefined : await heldByOther(this.context, desired, target.before?.destinationId, fields)
    const refused = held ? duplicate(held) : predicted
    const refusal = refused ? refusalBy(refused) : null
    await this.context.recorder.record(entry(refusal, null))
    return { refusal, saved: null }
  }

  async updateTogether(component: Component, requests: UpdateRequest[]): Promise<Updated[]> {
    const updated: Updated[] = []
    for (const { desired, existing, fields, target, entry } of requests) {
      const call = component.update?.call(desired, existing, target.parentId, fields)
      updated.push(call ? await this.update(component, desired, call, target, entry) : { refusal: null, saved: null })
    }
    return updated
  }

  async remove(
    _component: Component,
    existing: Draft,
    _call: WriteCall,
    target: RemoveTarget,
    entry: (refusal: Refusal | null) => Entry,
  ): Promise<void> {
    this.context.lease.stop.throwIfAborted()
    const recorded = entry(null)
    await this.context.recorder.record(async (tx, tally, bulk) => {
      await countPruned(tx, tally, this.context.run.id, existing, target)
      await recorded(tx, tally, bulk)
    })
  }

  private async outcomeOf({ draft, rootId }: CreateRequest, twin: string | undefined): Promise<Outcome> {
    this.context.lease.stop.throwIfAborted()
    const taken = twin && duplicate({ key: 'key', holder: `${draft.component}/${twin}` })
    const predicted = taken ?? predictRefusal(draft, 'create', limitsOf) ?? (await this.pictures.refusalOf(draft))
    if (predicted) return { kind: 'refused', refusal: refusalBy(predicted) }
    return this.inTurn(() => this.takeKeysOf(draft, rootId))
  }

  private async takeKeysOf(draft: Draft, rootId: string): Promise<Outcome> {
    const holder = `${draft.component}/${draft.id}`
    const keys = keysTaken(this.context, draft, rootId)
    const taken = await takeKeys(this.context.database, this.context.run.id, holder, keys)
    if (taken) return { kind: 'refused', refusal: refusalBy(duplicate(taken)) }
    return { kind: 'saved', saved: asWritten(draft), partly: await this.takeAddress(draft, holder) }
  }

  /** A brand or category is copied even if its address is already in use. */
  private async takeAddress(draft: Draft, holder: string): Promise<Refusal | null> {
    const key = addressKey(draft)
    const taken = key && (await takeKeys(this.context.database, this.context.run.id, holder, [key]))
    return taken ? refusalBy(duplicate(taken)) : null
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work)
    this.turn = done.catch(() => undefined)
    return done
  }
}

/** A picture is compared by its file name, but sent by its address. */
function overwritten(before: unknown): string[] {
  return Object.keys((before ?? {}) as PlatformItem).map((field) => (field === 'image_file' ? 'image_url' : field))
}

/** Without a before-image (a pending picture), the fields are those in the body of the call. */
function sentBy({ body }: WriteCall, desired: Draft): string[] {
  const sent = (Array.isArray(body) ? body[0] : body) ?? {}
  return Object.keys(desired.body).filter((field) => field in sent)
}

/** The item as the platform would return it: with all children that are sent inline. */
function asWritten(draft: Draft): SavedDraft {
  const children = draft.children.filter((child) => child.inline).map(asWritten)
  return { ...draft, id: simulatedId(draft.component, draft.id), children }
}

function duplicate({ key, holder }: { key: string; holder: string }): Prediction {
  const what = key.match(/(name|sku|url):/)?.[1] ?? 'key'
  const [component, id] = [holder.slice(0, holder.lastIndexOf('/')), holder.slice(holder.lastIndexOf('/') + 1)]
  const by = component.startsWith('destination:')
    ? `${itemWords({ component: component.slice('destination:'.length), id })} of the destination`
    : `${itemWords({ component, id })} of the source`
  return { rule: `unique ${what}`, field: what, message: `${by} has the same` }
}

function refusalBy({ rule, field, others = [], message }: Prediction): Refusal {
  const errors = Object.fromEntries([field, ...others].map((name) => [name, message]))
  return { title: message, errors, method: '', path: '', httpStatus: 0, rule }
}

import { takeKeys } from '../../db/ledger/simulated-mappings.ts'
import type { WriteCall } from '../../entities/core/calls.ts'
import type { Component } from '../../entities/core/component.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { limitsOf } from '../../entities/registry.ts'
import { type Prediction, predictRefusal } from '../../model/refusal-rules.ts'
import type { RunContext } from '../context/context.ts'
import type { Entry } from '../core/recorder.ts'
import { simulatedId } from '../core/simulated-id.ts'
import {
  type CorrectionOrder,
  countPruned,
  type Order,
  type Outcome,
  type Refusal,
  type RemoveTarget,
  type UpdateTarget,
  type Writes,
} from '../write/writer.ts'
import { PictureCheck } from './picture-check.ts'
import { addressKey, keysTaken } from './taken-keys.ts'

/**
 * Takes the writer's place in a dry run (F2): records what the calls would come to and makes none of them. What the platform is
 * known to refuse is refused here, by name of the rule.
 */
export class DryRunWriter implements Writes {
  private readonly context: RunContext
  /** Keys are given to one item after the other. */
  private turn: Promise<unknown> = Promise.resolve()
  private readonly pictures: PictureCheck

  constructor(context: RunContext) {
    this.context = context
    this.pictures = new PictureCheck(context)
  }

  async create(_component: Component, orders: Order[]): Promise<Outcome[]> {
    const outcomes = await Promise.all(orders.map((order) => this.outcomeOf(order)))
    await this.context.recorder.record(async (tx, tally) => {
      for (const [at, order] of orders.entries()) await order.entry(outcomes[at] as Outcome)(tx, tally)
    })
    return outcomes
  }

  async update(
    _component: Component,
    desired: Draft,
    call: WriteCall,
    target: UpdateTarget,
    entry: (refusal: Refusal | null, saved: PlatformItem | null) => Entry,
  ): Promise<void> {
    this.context.lease.stop.throwIfAborted()
    const fields = target.before ? overwritten(target.before.body) : sentBy(call, desired)
    const changed = Object.fromEntries(fields.map((field) => [field, desired.body[field]]))
    const sent = { ...desired, body: changed, children: [] }
    const predicted = predictRefusal(sent, 'update', limitsOf) ?? (await this.pictures.refusalOf(sent))
    await this.context.recorder.record(entry(predicted ? refusalBy(predicted) : null, null))
  }

  async updateTogether(component: Component, orders: CorrectionOrder[]): Promise<void> {
    for (const { desired, existing, fields, target, entry } of orders) {
      const call = component.update?.call(desired, existing, target.parentId, fields)
      if (call) await this.update(component, desired, call, target, entry)
    }
  }

  async remove(
    _component: Component,
    existing: Draft,
    _call: WriteCall,
    target: RemoveTarget,
    entry: (refusal: Refusal | null) => Entry,
  ): Promise<void> {
    this.context.lease.stop.throwIfAborted()
    await this.context.recorder.record(async (tx, tally) => {
      await countPruned(tx, tally, this.context.run.id, existing, target)
      await entry(null)(tx, tally)
    })
  }

  private async outcomeOf({ draft, rootId }: Order): Promise<Outcome> {
    this.context.lease.stop.throwIfAborted()
    const predicted = predictRefusal(draft, 'create', limitsOf) ?? (await this.pictures.refusalOf(draft))
    if (predicted) return { refused: refusalBy(predicted) }
    return this.inTurn(() => this.takeKeysOf(draft, rootId))
  }

  private async takeKeysOf(draft: Draft, rootId: string): Promise<Outcome> {
    const holder = `${draft.component}/${draft.id}`
    const keys = keysTaken(this.context, draft, rootId)
    const taken = await takeKeys(this.context.database, this.context.run.id, holder, keys)
    if (taken) return { refused: refusalBy(duplicate(taken)) }
    return { saved: asWritten(draft), partly: await this.takeAddress(draft, holder) }
  }

  /** An address that somebody has costs a brand or a category its address only. */
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

/** A picture is compared by its file and sent by its address. */
function overwritten(before: unknown): string[] {
  return Object.keys((before ?? {}) as PlatformItem).map((field) => (field === 'image_file' ? 'image_url' : field))
}

/** Where nothing worth keeping is overwritten (a picture that was owed), the call tells which fields it is about. */
function sentBy({ body }: WriteCall, desired: Draft): string[] {
  const sent = (Array.isArray(body) ? body[0] : body) ?? {}
  return Object.keys(desired.body).filter((field) => field in sent)
}

/** The item as the platform would answer it: with everything that its creation carries inline. */
function asWritten(draft: Draft): Draft {
  const children = draft.children.filter((child) => child.inline).map(asWritten)
  return { ...draft, id: simulatedId(draft.component, draft.id), children }
}

function duplicate({ key, holder }: { key: string; holder: string }): Prediction {
  const what = key.match(/(name|sku|url):/)?.[1] ?? 'key'
  const [component, id] = [holder.slice(0, holder.lastIndexOf('/')), holder.slice(holder.lastIndexOf('/') + 1)]
  const by = component.startsWith('destination:')
    ? `destination item ${id} of ${component.slice('destination:'.length)}`
    : `source item ${id} of ${component}`
  return { rule: `unique ${what}`, field: what, message: `${by} has the same` }
}

function refusalBy({ rule, field, others = [], message }: Prediction): Refusal {
  const errors = Object.fromEntries([field, ...others].map((name) => [name, message]))
  return { title: message, errors, method: '', path: '', httpStatus: 0, rule }
}

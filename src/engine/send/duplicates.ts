import type { InTransaction } from '../../db/core/database.ts'
import type { Tally } from '../../db/ledger/counters.ts'
import { type IntendedItem, type SettledCreations, settledCreations } from '../../db/ledger/intents.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { claimsOf } from '../../db/ledger/mappings.ts'
import { settleIssues } from '../../db/reports/healing.ts'
import type { Component } from '../../entities/core/component.ts'
import type { Draft } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import { calledItem } from '../../entities/item-words.ts'
import type { RunContext } from '../context/context.ts'
import { existingBelow } from './unconfirmed.ts'

/**
 * Looks for duplicates of items whose creation had no answer: the store may have applied the first call after it was
 * sent again (G10). Nothing is deleted, because only a person can tell which of the two is the right one.
 *
 * @param isRefusal whether a store refused the look-up, which then is left to the next run
 */
export async function reportDuplicates(
  context: RunContext,
  { key, components }: Entity,
  isRefusal: (error: unknown) => Promise<boolean>,
): Promise<void> {
  if (context.run.mode !== 'full') return
  for (const component of components) {
    const scope = context.references.scope(component.key)
    const lost = await settledCreations(context.database, context.pair, { scope, component: component.key })
    if (lost.items.size === 0 || !component.probe) continue
    const checked = await checkedItems(context, component, lost).catch(async (error: unknown) => {
      if (await isRefusal(error)) return []
      throw error
    })
    await context.recorder.record((tx, tally) => recordChecked(context, { phase: key, component, checked }, tx, tally))
  }
}

interface Checked {
  item: IntendedItem
  copyId: string
  second: Draft | undefined
}

async function checkedItems(
  context: RunContext,
  component: Component,
  { items: sent, older }: SettledCreations,
): Promise<Checked[]> {
  const { database, pair, protection, references } = context
  const items = [...sent.values()]
  const names = items.map(({ sourceId }) => ({ component: component.key, sourceId }))
  const copies = await references.mappings(names)
  const sought = {
    keys: soughtKeys(context, component, items),
    parentIds: [...new Set(items.map((one) => one.parentId))],
  }
  const existing = await existingBelow(context, component, sought)
  const ids = existing.map(({ id }) => id)
  const claims = await claimsOf(database, pair, references.scope(component.key), component.key, ids)
  const free = existing.filter(({ id }) => !claims.has(id) && !older.has(id))
  return items.flatMap((item): Checked[] => {
    const copyId = copies.get(`${component.key}:${item.sourceId}`)?.destinationId
    if (copyId === undefined) return []
    const isLike = (one: Draft) =>
      item.keys.length > 0 ? protection.keys(one)[0] === item.keys[0] : protection.fingerprint(one) === item.fingerprint
    const second = free.find((one) => isLike(one) && (one.parentId ?? item.parentId) === item.parentId)
    return [{ item, copyId, second }]
  })
}

/** Keys of personal data are not stored, so everything is searched unless the key follows from the source id. */
function soughtKeys({ protection, stores }: RunContext, component: Component, items: IntendedItem[]): string[][] {
  const { keyFromId } = component
  if (keyFromId) return items.map(({ sourceId }) => [keyFromId(sourceId, stores.source.hash)])
  return protection.open(component.key) ? items.map(({ keys }) => keys) : []
}

async function recordChecked(
  context: RunContext,
  { phase, component, checked }: { phase: string; component: Component; checked: Checked[] },
  tx: InTransaction,
  tally: Tally,
): Promise<void> {
  const { run } = context
  const gone = checked.filter(({ second }) => !second)
  await settleIssues(
    tx,
    run,
    gone.map(({ item: { sourceId } }) => ({ component: component.key, sourceId, code: 'possible_duplicate' })),
  )
  const issues = checked.flatMap(({ item, copyId, second }): IssueToWrite[] => {
    if (!second) return []
    const named = context.protection.item({ ...second, id: item.sourceId })
    const message = `${calledItem({ component: component.key, id: item.sourceId, name: named.name })} may exist twice at the destination, as ${copyId} and ${second.id}: the store may have applied a write that it had not answered.`
    return [
      {
        phase,
        component: component.key,
        severity: 'failure',
        code: 'possible_duplicate',
        sourceId: item.sourceId,
        destinationId: copyId,
        item: named,
        message,
      },
    ]
  })
  for (const { severity, component: of } of await saveIssues(tx, run, issues))
    if (severity === 'warning') tally.add(of, 'warnings')
}

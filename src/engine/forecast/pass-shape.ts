import { isV2 } from '../../bigcommerce/pages.ts'
import type { Component } from '../../entities/core/component.ts'
import { type Draft, draft } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass, RunOptions } from '../../entities/core/pass.ts'
import { pagingOf, type Reading } from '../../entities/core/reading.ts'
import { componentOf } from '../../entities/registry.ts'
import type { PassShape } from '../../model/forecast/calls.ts'
import type { ListReading } from '../../model/forecast/list-calls.ts'
import { idsPerLookUp } from '../read/by-ids.ts'
import { hasListForEach } from '../read/lists-in-parts.ts'
import { walkOver } from './list-totals.ts'

export interface SurveyedPass {
  entity: Entity
  pass: Pass
  adoptOnly: boolean
  options: RunOptions
  pruneLive: readonly string[]
}

/** Further calls per item, for its children, if no item could be sampled. Our choice. */
const usualFurtherCalls = 0.5

/** The shape of a pass with this number of average items, none of which exist at the destination. */
export function blankShape({ entity, pass, adoptOnly, pruneLive }: SurveyedPass, items: number): PassShape {
  const { destination, source, byIds } = pass
  const root = componentOf(pass.root)
  const further = { component: pass.root, perItem: 0, calls: usualFurtherCalls, heavy: false, looksFirst: false }
  return {
    phase: entity.key,
    key: pass.key,
    root: pass.root,
    adoptOnly,
    items,
    held: items,
    standing: 0,
    mapped: 0,
    owing: 0,
    adopted: 0,
    changed: 0,
    unsealed: 0,
    sourcePage: source.limit,
    listPage: destination.limit,
    comparedPage: destination.compared?.limit ?? destination.limit,
    byIdsPage: byIds?.limit ?? null,
    lookUpPage: idsPerLookUp(pass),
    looksUpByKey: root.findsUnlisted !== undefined,
    // As for a store with one storefront.
    sourceWalk: source.walkCalls ? walkOver(source.walkCalls, 1) : null,
    listWalk: destination.walkCalls ? walkOver(destination.walkCalls, 1) : null,
    sourceReading: listReading(source),
    listReading: listReading(destination),
    ...(root.setOnNew && { setOnNew: true as const }),
    ...(hasListForEach(pass) && { listedByOwner: true as const }),
    createOnly: pass.createOnly === true,
    unread: false,
    complete: destination.complete,
    staged: source.kind === 'staged',
    levels: pass.parentOf ? 3 : 1,
    detailReads: pass.details?.length ?? 0,
    creation: [
      {
        component: pass.root,
        perItem: 1,
        calls: root.callsPerItem.write,
        heavy: isHeavy(draft(pass.root, '0', {})),
        looksFirst: root.recovery === 'baseline',
      },
      ...(byIds ? [further] : []),
    ],
    updateBatch: root.update?.several?.batch ?? 1,
    late: 0,
    // Children of items of another pass are deleted along with them.
    removable: isRemovable(root, pruneLive) && entity.prune === 'allowed' && pass.below === undefined,
    removalLooks: root.remove?.never ? 1 : 0,
    // As for an item that has all of its keys.
    sourceLooks: pass.sameKey?.({ name: 'any', sku: 'any', email: 'any' }).length ?? null,
  }
}

/** Shapes for a source that cannot be read: average items, in the given numbers. */
export function usualShapes(passes: readonly SurveyedPass[], counts: Record<string, number>): PassShape[] {
  return passes.map((one) => {
    const items = counts[one.pass.root]
    return { ...blankShape(one, items ?? 0), ...(items === undefined && { guessed: true as const }) }
  })
}

/** Shoppers' data is deleted only on request (G3). */
function isRemovable({ key, remove, madeByShoppers }: Component, pruneLive: readonly string[]): boolean {
  return remove !== undefined && (madeByShoppers !== true || pruneLive.includes(key))
}

export function isHeavy(one: Draft): boolean {
  return componentOf(one.component).create?.call([{ draft: one, parentId: '0', parent: null }]).heavy === true
}

function listReading(reading: Reading): ListReading {
  const isNumbered = pagingOf(reading) === 'number'
  if (isV2(reading.path)) return isNumbered ? 'twice' : 'end twice'
  return isNumbered ? 'again' : 'once'
}

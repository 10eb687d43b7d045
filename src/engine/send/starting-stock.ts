import type { StartedWith } from '../../db/side-effects/started-stock.ts'
import type { Component } from '../../entities/core/component.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { sideEffectComponent } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'

/** The stock that an item starts with, by the key of the child that has it; '' is the item itself. */
type StartsWith = Readonly<Record<string, number>>

/** What a creation is about to send; undefined if nothing, or if no later phase of the run sets levels (G11). */
export function startsWith({ run }: RunContext, { sideEffects }: Component, draft: Draft): StartsWith | undefined {
  if (!sideEffects?.startingStock || !run.phases.includes(sideEffectComponent('level'))) return undefined
  const sent = sideEffects.startingStock.sent(draft)
  return Object.keys(sent).length > 0 ? sent : undefined
}

/** A new item as the destination has it. */
interface Started {
  startsWith: StartsWith | undefined
  existing: Draft
  parentId: string
}

/** The stock that new items start with. */
export function startedWith({ sideEffects }: Component, items: Started[]): StartedWith[] {
  return items.flatMap(({ startsWith: sent, existing, parentId }) =>
    sent ? (sideEffects?.startingStock?.saved(sent, existing, parentId) ?? []) : [],
  )
}

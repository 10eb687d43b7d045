import type { Mapping } from '../../db/ledger/store-pair.ts'
import type { SideEffect } from '../../db/side-effects/side-effects.ts'
import { identity } from '../../entities/core/references.ts'
import { entityOf, passOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { fieldDifferences } from '../core/pairing.ts'
import { rowsNow } from '../read/by-ids.ts'
import { unlessRefused } from '../read/refused-list.ts'

/**
 * Which copies of earlier runs, in the form `component:id`, the source no longer wants switched on: it has switched the
 * item off since, or deleted it.
 */
export async function withdrawnWrites(context: RunContext, copies: Mapping[]): Promise<Set<string>> {
  const withdrawn = new Set<string>()
  const earlier = copies.filter(({ runId }) => runId !== context.run.id)
  for (const [component, some] of Map.groupBy(earlier, (copy) => copy.component))
    for (const id of await unwantedIds(
      context,
      component,
      some.map(({ sourceId }) => sourceId),
    ))
      withdrawn.add(`${component}:${id}`)
  return withdrawn
}

/** None if the source refuses to show them. */
async function unwantedIds(context: RunContext, component: string, ids: string[]): Promise<string[]> {
  const entity = entityOf(component)
  const pass = passOf(component)
  if (!entity || !pass) return []
  const unwanted: string[] = []
  await unlessRefused(context, { entity, pass }, async () => {
    const drafts = (await rowsNow(context, 'source', pass, ids)).map((row) => pass.drafts(row, identity))
    const desired = new Set(drafts.filter(({ deferred }) => deferred !== null).map(({ id }) => id))
    unwanted.push(...ids.filter((id) => !desired.has(id)))
  })
  return unwanted
}

/**
 * Which of the copies that lack something were switched on at the destination by hand, in the form `component:id`: nothing is
 * left to be done.
 */
export async function doneByHand(context: RunContext, writes: SideEffect[], copies: Mapping[]): Promise<Set<string>> {
  const done = new Set<string>()
  const desired = new Map(writes.map((write) => [`${write.component}:${write.subject}`, write.desired]))
  for (const [component, some] of Map.groupBy(copies, (copy) => copy.component)) {
    const [entity, pass] = [entityOf(component), passOf(component)]
    if (!entity || !pass) continue
    const names = new Map(some.map(({ destinationId, sourceId }) => [destinationId, `${component}:${sourceId}`]))
    await unlessRefused(context, { entity, pass }, async () => {
      const rows = await rowsNow(context, 'destination', pass, [...names.keys()])
      for (const { id, compare } of rows.map((row) => pass.drafts(row, identity))) {
        const name = names.get(id) ?? ''
        if (fieldDifferences(desired.get(name) ?? {}, compare).length === 0) done.add(name)
      }
    })
  }
  return done
}

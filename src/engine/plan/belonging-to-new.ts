import { createdAll } from '../../db/ledger/mappings.ts'
import { runsWithPhase } from '../../db/runs/run-phases.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { MissingReference } from '../../entities/core/references.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { namesIn, type Resolved } from '../core/references.ts'

/**
 * Whether the destination's items of a pass all belong to what this run created, or to nothing that it copies. They are
 * written whatever they are, so their list need not be read.
 */
export async function belongsToNewOnly(
  { database, pair, references, run }: RunContext,
  { key: phase }: Entity,
  { root }: Pass,
): Promise<boolean> {
  const { setOnNew } = componentOf(root)
  if (!setOnNew || run.mode !== 'full' || !run.phases.includes(phase)) return false
  const components = [...setOnNew, root].map((component) => ({ scope: references.scope(component), component }))
  return createdAll(database, pair, run.id, components)
}

/**
 * Items that came into being with their owner (stock), if the run that created the owner covers this phase: they are
 * written as if they were new. After a run without this phase, the shop may have changed them (D1).
 */
export async function belongingToNew(
  { database, pair }: RunContext,
  { key: phase }: Entity,
  pass: Pass,
  items: PlatformItem[],
  resolved: (Resolved | MissingReference)[],
): Promise<Set<string>> {
  const { setOnNew } = componentOf(pass.root)
  if (!setOnNew) return new Set()
  const made = items.flatMap((item, at) => {
    const one = resolved[at] as Resolved | MissingReference
    if (one instanceof Error) return []
    const owner = ownerOf(namesIn(pass, item), one, setOnNew)
    return owner?.origin === 'created' ? [{ id: one.draft.id, runId: owner.runId }] : []
  })
  const runs = await runsWithPhase(database, pair, [...new Set(made.map(({ runId }) => runId))], phase)
  return new Set(made.filter(({ runId }) => runs.has(runId)).map(({ id }) => id))
}

function ownerOf(names: ReturnType<typeof namesIn>, { known }: Resolved, components: readonly string[]) {
  const found = components.flatMap((component) => {
    const name = names.find((one) => one.component === component)
    return known.get(`${component}:${name?.sourceId}`) ?? []
  })
  return found[0]
}

import type { Mapping } from '../../db/ledger/store-pair.ts'
import { identity } from '../../entities/core/references.ts'
import { entityOf, passOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
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

import type { Draft } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { namedByOthers } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { fieldDifferences } from '../core/pairing.ts'
import type { Counterpart } from './counterparts.ts'

/**
 * An item that is written once goes on naming what was deleted at the destination since. What was copied there again has
 * another id, which no run can write to it, so there is nothing to compare.
 *
 * @returns the items without the fields in which their copies do so, by id
 */
export async function withoutGone(
  { destination }: RunContext,
  { keepsNaming }: Pass,
  drafts: Draft[],
  counterparts: ReadonlyMap<string, Counterpart>,
): Promise<ReadonlyMap<string, Draft>> {
  const child = keepsNaming && namedByOthers.get(keepsNaming.component)
  if (!child) return new Map()
  const named = drafts.flatMap((draft) => {
    const differences = fieldDifferences(draft.compare, counterparts.get(draft.id)?.existing?.compare ?? {})
    const fields = differences.map(({ path, destination: value }) => ({ path, id: keepsNaming.idIn(value) }))
    return fields.filter(({ id }) => Number(id) > 0).map((field) => ({ draft, ...field }))
  })
  const gone = new Set<unknown>()
  for (const id of new Set(named.map((one) => one.id)))
    if ((await child.find(destination, String(id))) === undefined) gone.add(id)
  const lost = Map.groupBy(
    named.filter(({ id }) => gone.has(id)),
    ({ draft }) => draft,
  )
  return new Map(
    [...lost].map(([draft, fields]) => {
      const paths = fields.map(({ path }) => path)
      const compare = Object.fromEntries(Object.entries(draft.compare).filter(([path]) => !paths.includes(path)))
      return [draft.id, { ...draft, compare }]
    }),
  )
}

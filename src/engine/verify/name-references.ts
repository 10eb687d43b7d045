import { listedItems } from '../../db/ledger/destination-items.ts'
import type { DifferenceToWrite } from '../../db/ledger/differences.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { RunContext } from '../context/context.ts'
import type { Resolved } from '../core/references.ts'
import type { ListedBody } from '../read/destination-lister.ts'
import type { Comparison } from './comparison.ts'

type Field = DifferenceToWrite['fields'][number]

interface NamedField {
  field: Field
  component: string
  ids: string[]
}

/**
 * Adds names to fields that hold ids of other items, because a person knows no ids. Those of items that this run has listed at the
 * destination: ids on both sides of a difference are the destination's.
 */
export async function nameReferences(
  context: RunContext,
  pass: Pass,
  compared: { comparison: Comparison; resolved: Resolved }[],
): Promise<void> {
  const fields = compared.flatMap(({ comparison, resolved }) => referencesIn(pass, comparison, resolved))
  for (const [component, some] of Map.groupBy(fields, (one) => one.component)) {
    const ids = [...new Set(some.flatMap((one) => one.ids))]
    const listed = await listedItems(context.database, context.run.id, component, ids)
    // The lister of this run wrote the rows.
    const nameOf = (id: string) => (listed.get(id) as ListedBody | undefined)?.item.name ?? null
    for (const one of some) {
      const names = one.ids.map((id) => [id, nameOf(id)] as const).filter(([, name]) => name !== null)
      if (names.length > 0) one.field.names = Object.fromEntries(names) as Record<string, string>
    }
  }
}

/** Only of the item itself: its children name little else than each other. */
function referencesIn({ root, sets = [] }: Pass, { differences }: Comparison, { known }: Resolved): NamedField[] {
  const own = differences.filter(({ kind, component }) => kind === 'different' && component === root)
  return own
    .flatMap(({ fields }) => fields)
    .flatMap((field) => {
      const [source, destination] = [field.source, field.destination].map(idsIn)
      const component = sets.find((set) => set.field === field.path)?.of ?? componentNamed(source ?? [], known)
      const ids = [...new Set([...(source ?? []), ...(destination ?? [])])]
      return component === undefined || ids.length === 0 ? [] : [{ field, component, ids }]
    })
}

/** The component that all of the ids belong to, by the mappings that the item was resolved with; undefined if not just one. */
function componentNamed(ids: string[], known: Resolved['known']): string | undefined {
  const [first, ...rest] = ids.map(
    (id) => new Set([...known.values()].filter((one) => one.destinationId === id).map(({ component }) => component)),
  )
  const shared = [...(first ?? [])].filter((component) => rest.every((one) => one.has(component)))
  return shared.length === 1 ? shared[0] : undefined
}

function idsIn(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [value]
  return all.every((one) => Number.isInteger(one) && Number(one) > 0) ? all.map(String) : []
}

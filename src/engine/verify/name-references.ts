import { listedItems } from '../../db/ledger/destination-items.ts'
import type { DifferenceToWrite } from '../../db/ledger/differences.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity, type References } from '../../entities/core/references.ts'
import type { RunContext } from '../context/context.ts'
import type { ListedBody } from '../read/destination-lister.ts'
import type { Comparison } from './comparison.ts'

type Field = DifferenceToWrite['fields'][number]

interface NamedField {
  field: Field
  component: string
  ids: string[]
}

/**
 * Adds names to fields that hold ids of other items, because people do not recognise ids. It names the items that this
 * run has listed at the destination: the ids on both sides of a difference are the destination's.
 */
export async function nameReferences(
  context: RunContext,
  pass: Pass,
  compared: { comparison: Comparison; item: PlatformItem }[],
): Promise<void> {
  const fields = compared.flatMap(({ comparison, item }) => referencesIn(pass, comparison, item))
  for (const [component, some] of Map.groupBy(fields, (one) => one.component)) {
    const ids = [...new Set(some.flatMap((one) => one.ids))]
    const listed = await listedItems(context.database, context.run.id, component, ids)
    // This run's lister wrote the rows.
    const nameOf = (id: string) => (listed.get(id) as ListedBody | undefined)?.item.name ?? null
    for (const one of some) {
      const names = one.ids.map((id) => [id, nameOf(id)] as const).filter(([, name]) => name !== null)
      if (names.length > 0) one.field.names = Object.fromEntries(names) as Record<string, string>
    }
  }
}

/** Looks only at the item itself: its children refer to little else than each other. */
function referencesIn(
  { root, drafts, sets = [] }: Pass,
  { differences }: Comparison,
  item: PlatformItem,
): NamedField[] {
  const fields = differences
    .filter(({ kind, component }) => kind === 'different' && component === root)
    .flatMap((difference) => difference.fields)
  if (fields.length === 0) return []
  const marks = new Map<number, string>()
  const { compare } = drafts(item, marking(marks))
  return fields.flatMap((field) => {
    const component = sets.find((set) => set.field === field.path)?.of ?? componentMarked(compare[field.path], marks)
    const ids = [...new Set([field.source, field.destination].flatMap(idsIn))]
    return component === undefined || ids.length === 0 ? [] : [{ field, component, ids }]
  })
}

/**
 * References that replace each id with a unique number. Where such a number comes out, there is a reference, not just
 * an equal number.
 */
function marking(marks: Map<number, string>): References {
  const mark = (component: string) => {
    const next = Number.MAX_SAFE_INTEGER - marks.size
    marks.set(next, component)
    return next
  }
  return { ...identity, need: mark, want: mark, find: mark }
}

/** Undefined unless the value is made of references to one component. */
function componentMarked(value: unknown, marks: Map<number, string>): string | undefined {
  const components = new Set((Array.isArray(value) ? value : [value]).map((one) => marks.get(one)))
  return components.size === 1 ? [...components][0] : undefined
}

function idsIn(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [value]
  return all.every((one) => Number.isInteger(one) && Number(one) > 0) ? all.map(String) : []
}

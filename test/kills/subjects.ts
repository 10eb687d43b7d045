import { specs } from '../entities/specs/all-specs.ts'
import type { World } from '../harness/world.ts'
import type { Subject } from './subject.ts'

const subjects = new Map(specs.flatMap(({ kills = {} }) => Object.entries(kills)))

export function killSubject(name: string): Subject {
  const subject = subjects.get(name)
  if (!subject) throw new Error(`No spec has the kill subject ${name}`)
  return subject
}

export function killSubjects(...names: string[]): Subject[] {
  return names.map(killSubject)
}

/** The source gets an option value without a variant, because only such a value is created by a call of its own. */
export async function plantSpareValue(world: World): Promise<void> {
  const value = (await world.state('source')).option_values?.[0]
  if (!value) throw new Error('The source has no option values.')
  const { id } = await world.change('source', { op: 'double', table: 'option_values', id: value.id })
  await world.change('source', {
    op: 'set',
    table: 'option_values',
    id: Number(id),
    fields: { label: 'Spare', sort_order: 99, is_default: false },
  })
}

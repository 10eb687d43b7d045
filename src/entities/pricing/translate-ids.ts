import type { PlatformItem } from '../core/draft.ts'
import type { References } from '../core/references.ts'

/** A path at which an item contains ids of another component. */
export interface IdPath {
  /** Field names joined by dots; `*` is any member of a list, `**` any depth of fields and lists, including none. */
  path: string
  of: string
  /** The item cannot exist without it. Absent: a member without a counterpart is left out of its list. */
  needed?: true
  /** The ids are strings. */
  text?: true
  /** Numbers below one are not ids, and mean the same in every store. */
  fixedBelowOne?: true
}

/** The item with ids translated at the paths in the table; everything else is unchanged. */
export function translateIds(item: PlatformItem, table: readonly IdPath[], references: References): PlatformItem {
  const rules = table.map((rule) => ({ ...rule, pattern: patternOf(rule.path) }))
  const walk = (value: unknown, path: string): unknown => {
    const rule = rules.find(({ pattern }) => pattern.test(path))
    if (rule && value !== null && typeof value !== 'object') return counterpart(value, rule, references)
    if (Array.isArray(value)) return membersOf(value, (member, at) => walk(member, `${path}.${at}`))
    if (value === null || typeof value !== 'object') return value
    const below = (name: string) => (path === '' ? name : `${path}.${name}`)
    return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, walk(of, below(name))]))
  }
  return walk(item, '') as PlatformItem
}

/** Drops members that have no counterpart, or that contained nothing but an id without one. */
function membersOf(list: unknown[], translate: (member: unknown, at: number) => unknown): unknown[] {
  return list.map(translate).filter((member, at) => member !== undefined && !lostItsId(list[at], member))
}

function lostItsId(before: unknown, after: unknown): boolean {
  const isNamed = typeof before === 'object' && before !== null && 'id' in before
  return isNamed && (after as PlatformItem).id === undefined
}

function counterpart(value: unknown, { of, needed, text, fixedBelowOne }: IdPath, references: References): unknown {
  // In either store this means all of them.
  if (value === '*') return value
  if (fixedBelowOne && Number(value) < 1) return value
  if (text) return references.wantText(of, value)
  return needed ? references.need(of, value) : references.want(of, value)
}

function patternOf(path: string): RegExp {
  const parts = path.split('.').map((part) => {
    if (part === '**') return '(?:[^.]+\\.)*'
    return part === '*' ? '\\d+\\.' : `${part}\\.`
  })
  return new RegExp(`^${parts.join('').replace(/\\\.$/, '')}$`)
}

import type { PlatformItem } from '../core/draft.ts'
import type { References } from '../core/references.ts'

/** Where an item has ids of another component. */
export interface IdPath {
  /** Names of fields joined by dots; `*` is any one of a list, `**` any depth of fields and lists, none included. */
  path: string
  of: string
  /** The item is nothing without it. Otherwise a member that is missing is left out of its list. */
  needed?: true
  /** Ids are texts. */
  text?: true
  /** Numbers below one are not ids there: they mean something that every store has. */
  fixedBelowOne?: true
}

/**
 * An item with the ids of one store replaced by those of the other, wherever the table says that there are ids; everything else is
 * as it was.
 */
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

/** Members without a counterpart are gone; so is one whose only content was an id that has none. */
function membersOf(list: unknown[], translate: (member: unknown, at: number) => unknown): unknown[] {
  return list.map(translate).filter((member, at) => member !== undefined && !lostItsId(list[at], member))
}

function lostItsId(before: unknown, after: unknown): boolean {
  const isNamed = typeof before === 'object' && before !== null && 'id' in before
  return isNamed && (after as PlatformItem).id === undefined
}

function counterpart(value: unknown, { of, needed, text, fixedBelowOne }: IdPath, references: References): unknown {
  // All of them, in whichever store.
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

import { hash } from 'node:crypto'
import { isAccepted } from '../../entities/core/accepted-fields.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'

/** Increase this when drafts are normalised differently: checksums of different versions cannot be compared. */
const normaliserVersion = 2

/** The fields of a draft do not change. Children are paired several times while their parent is written. */
const fingerprints = new WeakMap<PlatformItem, string>()

/** Identifies an item that has no key. */
export function fingerprint({ compare }: Draft): string {
  const known = fingerprints.get(compare)
  if (known !== undefined) return known
  const made = digest(compare)
  fingerprints.set(compare, made)
  return made
}

/** Fields that the platform changes by itself: addresses already in use, names of picture files. */
const changedByPlatform: readonly string[] = ['custom_url', 'url', 'image_file']

/** Fields that show who made an item: they are sent, and neither platform nor shop changes them by itself (G5). */
export function authoredFields(draft: Draft): string[] {
  const component = componentOf(draft.component)
  const { destinationOwned, mayRewrite } = component
  const changed = [...destinationOwned, ...(mayRewrite?.fields ?? []), ...changedByPlatform]
  const isAuthored = ([field, value]: [string, unknown]) =>
    value !== undefined && !changed.includes(field) && isAccepted(component, field)
  return Object.entries(draft.compare)
    .filter(isAuthored)
    .map(([field]) => field)
}

/** A digest of these fields of a draft. It ignores white space and capitals, because the platform changes both. */
export function contentOf({ compare }: Draft, fields: string[]): string {
  return digest(fields.map((field) => plainText(canonical(compare[field] ?? null))))
}

/** A text without white space and capitals, to compare what the platform may have changed. */
export function plainText(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/g, '')
}

/** The checksum of a draft and its children, without destination-owned values, which the shop changes (C2, D1). */
export function checksum(draft: Draft): string {
  return `${normaliserVersion}:${digest(comparable(draft))}`
}

function comparable(draft: Draft): unknown {
  const { destinationOwned } = componentOf(draft.component)
  const steady = Object.fromEntries(
    Object.entries(draft.compare).filter(([field]) => !destinationOwned.includes(field)),
  )
  return [draft.component, steady, draft.children.map(comparable)]
}

function digest(value: unknown): string {
  return hash('sha256', canonical(value), 'base64url')
}

/** JSON with sorted keys and without undefined fields, so that equal values have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null)
  // Runs for every field of every item, so it makes no lists but that of the names.
  let fields = ''
  for (const name of Object.keys(value).sort()) {
    const of = (value as Record<string, unknown>)[name]
    if (of !== undefined) fields += `${fields === '' ? '' : ','}${JSON.stringify(name)}:${canonical(of)}`
  }
  return `{${fields}}`
}

export function same(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b)
}

export interface FieldDifference {
  path: string
  source: unknown
  destination: unknown
}

/** Fields of the desired item that differ; those that only the destination has are ignored (D2). */
export function fieldDifferences(desired: PlatformItem, existing: PlatformItem): FieldDifference[] {
  return Object.entries(desired)
    .filter(([path, value]) => value !== undefined && !same(value, existing[path] ?? null))
    .map(([path, source]) => ({ path, source, destination: existing[path] ?? null }))
}

export interface Pair {
  desired: Draft
  existing: Draft | undefined
}

/** The destination id of a source child that was copied before; undefined when none is known. */
export type CopyOf = (child: Draft) => string | undefined

const noneAdded: ReadonlySet<string> = new Set()

/**
 * Pairs children one to one: those without keys with their known copies, then equal ones, then others by their
 * strongest common key. Children without keys that are left are paired by name and finally in order, so that a
 * changed picture counts as a difference and not as a missing and an extra one.
 *
 * @param added existing children that are copies of nothing, as `component/id`: never paired in order, nor by a key that
 * siblings share, nor by name if shoppers make such children
 */
export function pairUp(
  desired: Draft[],
  existing: Draft[],
  copyOf?: CopyOf,
  added = noneAdded,
): { pairs: Pair[]; extra: Draft[] } {
  // Asked for every item, and most have no children.
  if (desired.length === 0) return { pairs: [], extra: [...existing] }
  const free = new Set(existing)
  const found = new Map<Draft, Draft>()
  const matchBy = (mark: (draft: Draft) => string[]) => {
    if (free.size === 0 || found.size === desired.length) return
    const byMark = new Map<string, Draft[]>()
    for (const draft of free) for (const one of mark(draft)) byMark.set(one, [...(byMark.get(one) ?? []), draft])
    for (const draft of desired) {
      if (found.has(draft)) continue
      const match = mark(draft)
        .flatMap((one) => byMark.get(one) ?? [])
        .find((candidate) => free.has(candidate))
      if (match) take(draft, match)
    }
  }
  const take = (draft: Draft, match: Draft) => {
    found.set(draft, match)
    free.delete(match)
  }
  const leave = (isLeft: (draft: Draft) => boolean) => {
    for (const draft of free) if (isLeft(draft)) free.delete(draft)
  }
  // Only the mappings tell equal children apart.
  if (copyOf) {
    const keyless = new Map(existing.map((draft) => [`${draft.component}/${draft.id}`, draft]))
    for (const draft of desired) {
      const copy = draft.keys.length === 0 ? keyless.get(`${draft.component}/${copyOf(draft)}`) : undefined
      if (copy && free.has(copy)) take(draft, copy)
    }
  }
  // Equal children, before looser matches are tried.
  matchBy((draft) => [`${draft.component}/${draft.keys.join('/')}/${fingerprint(draft)}`])
  matchBy((draft) => draft.keys.slice(0, 1).map((key) => `${draft.component}/${key}`))
  const isAdded = ({ component, id }: Draft) => added.has(`${component}/${id}`)
  leave((draft) => isAdded(draft) && componentOf(draft.component).sharesLaterKeys === true)
  matchBy((draft) => draft.keys.map((key) => `${draft.component}/${key}`))
  leave((draft) => isAdded(draft) && componentOf(draft.component).madeByShoppers !== undefined)
  // A picture that was changed keeps the name of its file.
  matchBy((draft) => (draft.keys.length === 0 && draft.name ? [`${draft.component}/${draft.name}`] : []))
  leave(isAdded)
  matchBy((draft) => (draft.keys.length === 0 ? [draft.component] : []))
  const taken = new Set(found.values())
  const pairs = desired.map((draft) => ({ desired: draft, existing: found.get(draft) }))
  return { pairs, extra: existing.filter((draft) => !taken.has(draft)) }
}

/** Every draft of a tree, parents first. */
export function* everyDraft(draft: Draft): Generator<Draft> {
  yield draft
  for (const child of draft.children) yield* everyDraft(child)
}

/** How the ledger names an item and its children. */
export function namesOf(draft: Draft): { component: string; sourceId: string }[] {
  return [...everyDraft(draft)].map(({ component, id }) => ({ component, sourceId: id }))
}

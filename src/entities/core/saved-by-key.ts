import type { WriteResult } from './calls.ts'
import type { Draft, PlatformItem } from './draft.ts'

/** What items are recognised by in an answer. */
interface Recognition {
  read(item: PlatformItem): Draft
  /** What is left of a key that the platform may have rewritten. */
  alike?: (draft: Draft) => string
  /** Addresses of the parents of the drafts, where their keys are unique below a parent only. */
  parentIds?: string[]
}

/**
 * Reads the answer to a batch that was accepted: each row belongs to the draft with its key. What the answer does not show,
 * or shows under a key that no draft has, is looked for (G6).
 */
export function savedByKey(body: unknown, desired: Draft[], recognition: Recognition): WriteResult[] {
  const { data } = (body ?? {}) as { data?: unknown }
  const rows = rowsByDraft(Array.isArray(data) ? data : [], desired, recognition)
  return desired.map((one) => {
    const saved = rows.get(one)
    return saved ? { saved } : { lookFor: true }
  })
}

/** The row of each draft: by its key, then by what is left of a rewritten key, and where one row and one draft are left, those. */
export function rowsByDraft(
  data: PlatformItem[],
  desired: Draft[],
  { read, alike = plainKey, parentIds = [] }: Recognition,
): Map<Draft, PlatformItem> {
  const rows = new Map(data.map((item) => [item, read(item)]))
  const found = new Map<Draft, PlatformItem>()
  const parents = new Map(desired.map((one, at) => [one, one.parentId ?? parentIds[at] ?? '']))
  const take = (mark: (draft: Draft) => string, onlyIfUnique: boolean) => {
    const left = [...rows].filter(([item]) => ![...found.values()].includes(item))
    const open = desired.filter((one) => !found.has(one))
    const rowsBy = Map.groupBy(left, ([, draft]) => `${draft.parentId ?? ''} ${mark(draft)}`)
    for (const [key, sought] of Map.groupBy(open, (one) => `${parents.get(one)} ${mark(one)}`)) {
      const matches = rowsBy.get(key) ?? []
      if (onlyIfUnique && (sought.length > 1 || matches.length > 1)) continue
      for (const [at, one] of sought.entries()) {
        const match = matches[at]
        if (match) found.set(one, match[0])
      }
    }
  }
  take(({ keys }) => String(keys[0]), false)
  take(alike, true)
  const open = desired.filter((one) => !found.has(one))
  const [last, ...others] = data.filter((item) => ![...found.values()].includes(item))
  if (data.length === desired.length && open[0] && last && others.length === 0) found.set(open[0], last)
  return found
}

/** A key without what platforms tend to change: capitals, and spaces. */
export function plainKey({ keys }: Draft): string {
  return String(keys[0]).normalize('NFC').toLowerCase().replace(/\s+/g, '')
}

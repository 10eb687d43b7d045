import type { WriteResult } from './calls.ts'
import type { Draft, PlatformItem } from './draft.ts'

/** How items are recognised in a response. */
interface Recognition {
  read(item: PlatformItem): Draft
  /** The part of a key that survives if the platform rewrites it. */
  alike?: (draft: Draft) => string
  /** Addresses of the drafts' parents, if keys are only unique below a parent. */
  parentIds?: string[]
}

/**
 * Reads the response to an accepted batch: each row belongs to the draft with its key. Drafts without a row are looked
 * up (G6).
 */
export function savedByKey(body: unknown, desired: Draft[], recognition: Recognition): WriteResult[] {
  const { data } = (body ?? {}) as { data?: unknown }
  const rows = rowsByDraft(Array.isArray(data) ? data : [], desired, recognition)
  return desired.map((one) => {
    const saved = rows.get(one)
    return saved ? { saved } : { lookFor: true }
  })
}

/**
 * The row of each draft: by its key, then by the part that survives a rewrite; if one row and one draft are left, they
 * match.
 */
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

/** A key without what platforms tend to change: capitals and spaces. */
export function plainKey({ keys }: Draft): string {
  return String(keys[0]).normalize('NFC').toLowerCase().replace(/\s+/g, '')
}

import { asRecord } from '../../bigcommerce/errors.ts'
import type { WriteResult } from './calls.ts'
import type { Draft, PlatformItem } from './draft.ts'

/** How to recognise drafts in the items of a response. */
interface Recognition {
  read(item: PlatformItem): Draft
  /** The part of a key that survives when the platform rewrites it. */
  alike?: (draft: Draft) => string
  /** Addresses of the drafts' parents, if keys are unique only within a parent. */
  parentIds?: string[]
}

/** Reads the response to an accepted batch, matching rows to drafts by key. Drafts without a row are looked up (G6). */
export function savedByKey(body: unknown, desired: Draft[], recognition: Recognition): WriteResult[] {
  const rows = rowsByDraft(body, desired, recognition)
  return desired.map((one) => {
    const saved = rows.get(one)
    return saved ? { saved } : { lookFor: true }
  })
}

/**
 * The row of each draft in the `data` of a response: matched by key, then by the part that survives a rewrite. If that
 * leaves one row and one draft, they belong together.
 */
export function rowsByDraft(
  body: unknown,
  desired: Draft[],
  { read, alike = plainKey, parentIds = [] }: Recognition,
): Map<Draft, PlatformItem> {
  const data = rowsIn(body)
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

/** The rows in the `data` of a response; none if it has no list there. */
export function rowsIn(body: unknown): PlatformItem[] {
  const { data } = asRecord(body)
  return Array.isArray(data) ? data : []
}

/** The key without what platforms tend to change: capitals and spaces. */
export function plainKey({ keys }: Draft): string {
  return String(keys[0]).normalize('NFC').toLowerCase().replace(/\s+/g, '')
}

import { v2Pages } from '../../bigcommerce/pages.ts'
import type { Probe } from '../core/calls.ts'
import type { Draft, PlatformItem } from '../core/draft.ts'

const prefix = 'code:'

/** The key of a code that shoppers type, without regard to capitals. */
export function codeKey(code: unknown): string {
  return `${prefix}${String(code ?? '')
    .trim()
    .toLowerCase()}`
}

/** Looks up items of a version 2 list by code. Without codes (S9), the whole list is read. */
export function probeByCode(path: string, query: Record<string, string>, read: (item: PlatformItem) => Draft): Probe {
  return async (client, { keys }) => {
    const codes = keys.flat().map((key) => key.slice(prefix.length))
    const found: Draft[] = []
    for (const code of codes.length > 0 ? codes : [undefined])
      for await (const { items } of v2Pages<PlatformItem>(client, path, { ...query, code }))
        found.push(...items.map(read))
    return found
  }
}

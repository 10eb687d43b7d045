import type { Draft, PlatformItem, WriteResult } from './define.ts'

/**
 * Reads the answer to a batch that is taken or refused as a whole. What a taken one does not show stands there all the same: of
 * an address that a customer has already the platform says nothing.
 */
export function savedByKey(
  httpStatus: number,
  body: unknown,
  wanted: Draft[],
  read: (item: PlatformItem) => Draft,
): WriteResult[] {
  const { data, title, errors } = (body ?? {}) as {
    data?: PlatformItem[]
    title?: string
    errors?: Record<string, string>
  }
  if (httpStatus === 422 || !Array.isArray(data))
    return wanted.map(() => ({ refused: { title: title ?? 'The batch was not saved', errors: errors ?? {} } }))
  const saved = Map.groupBy(data, (item) => markOf(read(item)))
  return wanted.map((one) => ({ saved: saved.get(markOf(one))?.shift() ?? null }))
}

function markOf({ keys, parentId }: Draft): string {
  return `${parentId ?? ''} ${keys[0]}`
}

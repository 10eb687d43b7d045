import { ClearFilters } from '../ui/clear-filters.tsx'
import { SearchField } from '../ui/field.tsx'
import { EmptyNote } from '../ui/notice.tsx'

/** As many members are seen at a glance. */
const fewMembers = 8

/** Whether there are so many members that one is searched for, or only those that match are shown. */
export function isLongList(
  { items, nextCursor }: { items: readonly unknown[]; nextCursor: string | null },
  { text, cursor }: { text?: string | undefined; cursor?: string | undefined },
): boolean {
  return items.length > fewMembers || [text, cursor, nextCursor ?? undefined].some((one) => one !== undefined)
}

/** @param props.onChange called with undefined for all members */
export function FindMember(props: { text: string | undefined; onChange: (text: string | undefined) => void }) {
  const { text = '', onChange } = props
  return <SearchField label="Name or email" value={text} onChange={(next) => onChange(next || undefined)} />
}

export const noMemberMatches = (
  <EmptyNote title="No member matches" action={<ClearFilters />}>
    Try another part of the name, or the email address.
  </EmptyNote>
)

import type { Deletion } from '../../data/findings.ts'
import { deletionReasonWords } from '../../finding-words.ts'
import type { Column } from '../../ui/table.tsx'

export const deletionColumns: Column<Deletion>[] = [
  { key: 'item', header: 'Item', narrow: 'title', cell: nameOf },
  { key: 'part', header: 'Part', cell: ({ label }) => label },
  {
    key: 'parent',
    header: 'Belongs to',
    cell: ({ parentName, parentId }) => (parentId === null ? '–' : <bdi>{parentName ?? `Id ${parentId}`}</bdi>),
  },
  { key: 'reason', header: 'Why', narrow: 'plain', cell: ({ reason }) => deletionReasonWords[reason] },
]

function nameOf({ item: { name, sku, path }, destinationId }: Deletion) {
  const below = sku ?? path
  return (
    <>
      <bdi>{name ?? sku ?? `Id ${destinationId}`}</bdi>
      {name !== null && below !== null && (
        <small>
          <bdi>{below}</bdi>
        </small>
      )}
    </>
  )
}

import type { Deletion } from '../../data/findings.ts'
import { deletionReasonWords } from '../../finding-words.ts'
import type { Column } from '../../ui/table.tsx'
import { ItemCell } from './item-cell.tsx'

export const deletionColumns: Column<Deletion>[] = [
  {
    key: 'item',
    header: 'Item',
    narrow: 'title',
    cell: ({ component, item, destinationId }) => (
      <ItemCell component={component} item={item} id={destinationId} below={item.sku ?? item.path} />
    ),
  },
  { key: 'part', header: 'Part', cell: ({ label }) => label },
  {
    key: 'parent',
    header: 'Belongs to',
    cell: ({ parentName, parentId }) => (parentId === null ? '–' : <bdi>{parentName ?? `Id ${parentId}`}</bdi>),
  },
  { key: 'reason', header: 'Why', narrow: 'plain', cell: ({ reason }) => deletionReasonWords[reason] },
]

import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ItemPair, pairsQuery } from '../../data/findings.ts'
import { type Migration, migrationQuery } from '../../data/queries.ts'
import { DownloadButton } from '../../download-button.tsx'
import { pendingWords } from '../../finding-words.ts'
import { NothingHere } from '../../ui/clear-filters.tsx'
import { Choice, SearchField } from '../../ui/field.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useShown } from '../../use-shown.ts'
import { PartState } from '../part-state.tsx'
import { ItemCell } from './item-cell.tsx'
import { type PairSearch, pairFiltersOf } from './pair-filters.ts'
import { partLabel, partWords } from './parts.ts'

const route = getRouteApi('/app/migrations/$id/pairs')

const originWords: Record<ItemPair['origin'], string> = {
  created: 'Copied by us',
  adopted: 'Found there already',
}

function columns(migration: Migration): Column<ItemPair>[] {
  const labelOf = (part: string) => partLabel(migration, part)
  return [
    {
      key: 'item',
      header: 'Item',
      narrow: 'title',
      cell: ({ component, item, sourceId }) => <ItemCell component={component} item={item} id={sourceId} />,
    },
    { key: 'part', header: 'Part', cell: ({ component }) => labelOf(component) },
    { key: 'source', header: 'Old number', cell: ({ sourceId }) => <code>{sourceId}</code> },
    { key: 'destination', header: 'New number', cell: ({ destinationId }) => <code>{destinationId}</code> },
    { key: 'origin', header: 'How', cell: ({ origin }) => originWords[origin] },
    {
      key: 'owed',
      header: 'Still incomplete',
      narrow: 'plain',
      cell: ({ owed }) => (owed.length === 0 ? '–' : owed.map((one) => pendingWords(one, labelOf)).join(', ')),
    },
  ]
}

/** Which destination item is the copy of which source item. For orders, the id is the order number. */
export function Pairs() {
  return (
    <>
      <p className="hint">
        Each item of the source with its copy: an old number, such as that of an order, leads to the new one.
      </p>
      <PairList />
    </>
  )
}

function PairList() {
  const { id } = route.useParams()
  const search = route.useSearch()
  const queryOf = (one: typeof search) => pairsQuery(id, pairFiltersOf(one))
  const { shown, failed } = useShown(search, queryOf)
  const { part, text, origin } = search
  const navigate = route.useNavigate()
  const { data: migration } = useSuspenseQuery(migrationQuery(id))
  const { data } = useSuspenseQuery(queryOf(shown))
  const change = (next: PairSearch) => navigate({ search: { part, text, origin, ...next }, replace: true })
  const isFiltered = [shown.part, shown.text, shown.origin].some((one) => one !== undefined)
  return (
    <ListPanel
      filters={
        <>
          <SearchField
            label="Old or new number, name or SKU"
            value={text ?? ''}
            onChange={(next) => change({ text: next || undefined })}
          />
          <Choice label="Part" words={partWords(migration)} value={part} onChange={(next) => change({ part: next })} />
          <Choice label="How" words={originWords} value={origin} onChange={(next) => change({ origin: next })} />
          <DownloadButton path={`/v2/migrations/${id}/mappings.csv`} query={pairFiltersOf({ part, text, origin })} />
        </>
      }
      problem={failed && <PartState query={failed} />}
      page={data}
      shown={shown}
      onTurn={(next) => navigate({ search: { ...shown, cursor: next } })}
      order="name"
    >
      <Table
        caption="Item pairs"
        columns={columns(migration)}
        rows={data.items}
        rowKey={({ storefronts, component, sourceId }) => `${storefronts} ${component} ${sourceId}`}
        empty={<NothingHere isFiltered={isFiltered} none="Nothing was copied yet" />}
      />
    </ListPanel>
  )
}

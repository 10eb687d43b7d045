import { type AnyUseQueryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type BeforeImage,
  beforeImagesQuery,
  type Deletion,
  deletionsQuery,
  type ItemPair,
  pairsQuery,
} from '../../data/findings.ts'
import { type Migration, migrationQuery } from '../../data/queries.ts'
import { DownloadButton } from '../../download-button.tsx'
import { fieldName } from '../../format/field-name.ts'
import { NothingHere } from '../../ui/clear-filters.tsx'
import { Choice, SearchField } from '../../ui/field.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { useShown } from '../../use-shown.ts'
import { PartState } from '../part-state.tsx'
import { type ChangeSearch, type ChangeShelf, changeFiltersOf, changeShelves, changeWords } from './change-shelves.ts'
import { deletionColumns } from './deletion-columns.tsx'
import { FieldValues } from './field-values.tsx'
import { ItemCell } from './item-cell.tsx'
import { partLabel, partWords } from './parts.ts'
import { Shelves } from './shelves.tsx'

const route = getRouteApi('/app/migrations/$id/changes')

const nothing: Record<ChangeShelf, string> = {
  new: 'Nothing new was copied',
  changed: 'Nothing was changed',
  deleted: 'Nothing was deleted',
  kept: 'Nothing was kept that a deletion could have taken',
}

function shelfQuery(id: string, search: ChangeSearch): AnyUseQueryOptions {
  const { show = 'new' } = search
  if (show === 'new') return pairsQuery(id, changeFiltersOf.new(search))
  if (show === 'changed') return beforeImagesQuery(id, changeFiltersOf.changed(search))
  return deletionsQuery(id, changeFiltersOf.deleted(search))
}

/** What a migration did to the destination, with what was there before. */
export function Changes() {
  const { id } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: migration } = useSuspenseQuery(migrationQuery(id))
  const { shown, failed } = useShown(search, (one) => shelfQuery(id, one))
  const { show: shelf = 'new' } = shown
  const { show = 'new', part, text } = search
  const change = (next: Partial<ChangeSearch>) =>
    navigate({ search: { show, part, text, ...next, cursor: undefined }, replace: true })
  const filters = (
    <>
      <SearchField
        label="Name, SKU or whole id"
        value={text ?? ''}
        onChange={(next) => change({ text: next || undefined })}
      />
      <Choice label="Part" words={partWords(migration)} value={part} onChange={(next) => change({ part: next })} />
      <ChangesFile id={id} search={search} />
    </>
  )
  const list = {
    filters,
    problem: failed && <PartState query={failed} />,
    shown,
    order: 'name' as const,
    onTurn: (cursor: string | undefined) => navigate({ search: { ...shown, cursor } }),
  }
  const empty = (
    <NothingHere isFiltered={Boolean(shown.text || shown.part)} none={nothing[shelf]} keep={{ show: shelf }} />
  )
  return (
    <>
      <p className="hint">
        What this migration did to the destination. Kept is what it could have deleted and did not.
      </p>
      <Shelves
        label="Changes by what was done"
        shelves={changeShelves.map((key) => ({
          key,
          words: changeWords[key],
          isOpen: key === show,
          link: { to: '/app/migrations/$id/changes' as const, params: { id }, search: { show: key, part, text } },
        }))}
      />
      {shelf === 'new' && <New migration={migration} search={shown} list={list} empty={empty} />}
      {shelf === 'changed' && <Changed migration={migration} search={shown} list={list} empty={empty} />}
      {(shelf === 'deleted' || shelf === 'kept') && <Deleted id={id} search={shown} list={list} empty={empty} />}
    </>
  )
}

/** The file of a list. Changed items differ in shape, so their file has a line of JSON for each. */
function ChangesFile({ id, search: { cursor: _, ...search } }: { id: string; search: ChangeSearch }) {
  const { show = 'new' } = search
  const base = `/v2/migrations/${id}`
  if (show === 'changed')
    return (
      <DownloadButton
        label="Download (NDJSON)"
        path={`${base}/before-images.ndjson`}
        query={changeFiltersOf.changed(search)}
      />
    )
  if (show === 'new') return <DownloadButton path={`${base}/mappings.csv`} query={changeFiltersOf.new(search)} />
  return <DownloadButton path={`${base}/deletions.csv`} query={changeFiltersOf.deleted(search)} />
}

interface ShelfProps {
  search: ChangeSearch
  list: Pick<Parameters<typeof ListPanel>[0], 'filters' | 'problem' | 'shown' | 'order' | 'onTurn'>
  empty: React.ReactNode
}

function New({ migration, search, list, empty }: ShelfProps & { migration: Migration }) {
  const query = changeFiltersOf.new(search)
  const { data } = useSuspenseQuery(pairsQuery(migration.requestId, query))
  const columns: Column<ItemPair>[] = [
    {
      key: 'item',
      header: 'Item',
      narrow: 'title',
      cell: ({ component, item, sourceId }) => <ItemCell component={component} item={item} id={sourceId} />,
    },
    { key: 'part', header: 'Part', cell: ({ component }) => partLabel(migration, component) },
    { key: 'source', header: 'In the source', cell: ({ sourceId }) => <code>{sourceId}</code> },
    { key: 'destination', header: 'In the destination', cell: ({ destinationId }) => <code>{destinationId}</code> },
  ]
  return (
    <ListPanel {...list} page={data}>
      <Table
        caption="What was copied"
        columns={columns}
        rows={data.items}
        rowKey={({ storefronts, component, sourceId }) => `${storefronts} ${component} ${sourceId}`}
        empty={empty}
      />
    </ListPanel>
  )
}

function Changed({ migration, search, list, empty }: ShelfProps & { migration: Migration }) {
  const query = changeFiltersOf.changed(search)
  const { data } = useSuspenseQuery(beforeImagesQuery(migration.requestId, query))
  const columns: Column<BeforeImage>[] = [
    {
      key: 'item',
      header: 'Item',
      narrow: 'title',
      cell: ({ component, item, destinationId }) => (
        <ItemCell
          component={component}
          item={item}
          id={destinationId}
          below={item.parentName === null ? item.sku : `of ${item.parentName}`}
        />
      ),
    },
    { key: 'part', header: 'Part', cell: ({ component }) => partLabel(migration, component) },
    { key: 'when', header: 'When', cell: ({ at }) => <When at={at} /> },
    { key: 'before', header: 'What was there before', narrow: 'plain', cell: (image) => <Before image={image} /> },
  ]
  return (
    <ListPanel {...list} page={data}>
      <Table
        caption="What was changed, as it was before"
        columns={columns}
        rows={data.items}
        rowKey={({ component, destinationId, action }) => `${component} ${destinationId} ${action}`}
        empty={empty}
      />
    </ListPanel>
  )
}

function Deleted({ id, search, list, empty }: ShelfProps & { id: string }) {
  const query = changeFiltersOf.deleted(search)
  const { data } = useSuspenseQuery(deletionsQuery(id, query))
  const isKept = search.show === 'kept'
  const columns: Column<Deletion>[] = [
    ...deletionColumns,
    { key: 'when', header: 'When', cell: ({ at }) => <When at={at} /> },
    {
      key: 'before',
      header: 'What was there before',
      narrow: 'plain',
      cell: (deletion) => <BeforeDeletion id={id} deletion={deletion} />,
    },
  ]
  return (
    <ListPanel {...list} page={data}>
      <Table
        caption={isKept ? 'What was kept' : 'What was deleted'}
        columns={isKept ? columns.filter(({ key }) => key !== 'before') : columns}
        rows={data.items}
        rowKey={(row) => row.id}
        empty={empty}
      />
    </ListPanel>
  )
}

function Before({ image: { body, isSealed } }: { image: Pick<BeforeImage, 'body' | 'isSealed'> }) {
  if (isSealed) return <>Private, and not shown</>
  const fields = fieldsOf(body)
  return (
    <details className="more">
      <summary>{fields.map(({ path }) => fieldName(path)).join(', ') || 'Nothing'}</summary>
      <FieldValues fields={fields} />
    </details>
  )
}

function fieldsOf(body: unknown) {
  const entries = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return entries.map(([path, value]) => ({ path, values: [{ value }] }))
}

/** Loaded when opened, because a deleted item is stored in full. */
function BeforeDeletion({ id, deletion }: { id: string; deletion: Deletion }) {
  const [isOpen, setOpen] = useState(false)
  const { component, destinationId, item } = deletion
  const query = useQuery({
    ...beforeImagesQuery(id, { component, destinationId, action: 'delete' }),
    enabled: isOpen,
  })
  const { data } = query
  const image = data?.items[0]
  return (
    <details className="more" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Show<span className="unseen"> what {item.name ?? destinationId} was</span>
      </summary>
      {isOpen && data === undefined && <PartState query={query} />}
      {data && !image && <p>It is kept with what it belongs to.</p>}
      {image && (image.isSealed ? <p>Private, and not shown.</p> : <FieldValues fields={fieldsOf(image.body)} />)}
    </details>
  )
}

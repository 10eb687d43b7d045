import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { CatalogItem, EntityEntry } from '../../data/queries.ts'
import {
  catalogItemQuery,
  catalogQuery,
  catalogTextLength,
  entitiesQuery,
  storesQuery,
} from '../../data/store-queries.ts'
import { fieldName } from '../../format/field-name.ts'
import { counted } from '../../format/number.ts'
import { paths } from '../../paths.ts'
import { ClearFilters } from '../../ui/clear-filters.tsx'
import { AddressedDialog, CloseAction } from '../../ui/dialog.tsx'
import { SearchField } from '../../ui/field.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { EmptyNote } from '../../ui/notice.tsx'
import { Screen } from '../../ui/screen.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { opens, useCloseOpened } from '../../use-close-opened.ts'
import { useShown } from '../../use-shown.ts'
import { PartState } from '../part-state.tsx'

const route = getRouteApi('/app/stores/$hash/browse/$entity')

const none = <EmptyNote title="The store has none of these" />
const noMatch = (
  <EmptyNote title="Nothing matches" action={<ClearFilters />}>
    Try other words.
  </EmptyNote>
)

function columns(isPersonal: boolean): Column<CatalogItem>[] {
  const open = (item: CatalogItem, words: string) => (
    <Link from={paths.browse} to="." search={(search) => ({ ...search, item: item.id })} {...opens}>
      <bdi>{words}</bdi>
    </Link>
  )
  const id: Column<CatalogItem> = { key: 'id', header: 'Id', cell: (item) => <code>{item.id}</code> }
  if (isPersonal) return [{ ...id, narrow: 'title', cell: (item) => open(item, item.id) }]
  return [
    { key: 'name', header: 'Name', narrow: 'title', cell: (item) => open(item, item.name || `Item ${item.id}`) },
    { key: 'sku', header: 'SKU', cell: ({ sku }) => (sku ? <bdi>{sku}</bdi> : '–') },
    { key: 'path', header: 'Address', cell: ({ path }) => (path ? <bdi>{path}</bdi> : '–') },
    id,
  ]
}

export function Browse() {
  const { hash, entity } = route.useParams()
  const { item, ...search } = route.useSearch()
  const queryOf = ({ text, cursor }: typeof search) => catalogQuery(hash, entity, { text, cursor, limit: 50 })
  const { shown, failed } = useShown(search, queryOf)
  const { text } = shown
  const navigate = route.useNavigate()
  const { data: entities } = useSuspenseQuery(entitiesQuery())
  const { data: stores } = useSuspenseQuery(storesQuery())
  const { data } = useSuspenseQuery(queryOf(shown))
  const kind = entities.items.find(({ key }) => key === entity)
  const store = stores.items.find((one) => one.hash === hash)
  const isPersonal = kind?.personal ?? false
  const opened = data.items.find(({ id }) => id === item)
  const close = useCloseOpened(() => navigate({ search, replace: true }))
  return (
    <Screen
      title={kind?.label ?? 'Items'}
      crumbs={[
        { label: 'Stores', to: paths.stores },
        { label: store?.label ?? hash, to: `${paths.stores}/${hash}` },
      ]}
      lead={isPersonal ? 'Read live. Only ids are shown: names and codes are private.' : 'Read live from the store.'}
    >
      <ListPanel
        filters={
          !isPersonal && (
            <SearchField
              label="Find by name or SKU"
              value={search.text ?? ''}
              maxLength={catalogTextLength}
              onChange={(next) => navigate({ search: { text: next || undefined }, replace: true })}
            />
          )
        }
        problem={failed && <PartState query={failed} />}
        page={data}
        shown={shown}
        onTurn={(next) => navigate({ search: { text, cursor: next } })}
        order="name"
      >
        <Table
          caption={kind?.label ?? 'Items'}
          columns={columns(isPersonal)}
          rows={data.items}
          rowKey={({ id }) => id}
          empty={text ? noMatch : none}
        />
      </ListPanel>
      {item !== undefined && (
        <AddressedDialog title={opened?.name || `Item ${item}`} onClose={close}>
          <Item hash={hash} kind={kind} id={item} />
          <CloseAction />
        </AddressedDialog>
      )}
    </Screen>
  )
}

/** One item as a migration reads it. */
function Item({ hash, kind, id }: { hash: string; kind: EntityEntry | undefined; id: string }) {
  const found = useQuery(catalogItemQuery(hash, kind?.key ?? '', id))
  const { data } = found
  if (!data) return <PartState query={found} />
  const parts = Object.entries(data.below).map(([key, count]) => {
    const label = kind?.components.find((component) => component.key === key)?.label ?? key
    return `${label}: ${counted(count, 'item')}`
  })
  return (
    <>
      {parts.length > 0 && <p>{parts.join(', ')}</p>}
      {data.fields === null ? (
        <p>What it says is private and not shown.</p>
      ) : (
        <dl className="facts item-fields">
          {Object.entries(data.fields).map(([name, value]) => (
            <div key={name}>
              <dt>{fieldName(name)}</dt>
              <dd>{typeof value === 'boolean' ? value ? 'Yes' : 'No' : <bdi>{textOf(value)}</bdi>}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

function textOf(value: unknown): string {
  if (value === '' || value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type Difference, differencesQuery, type Migration, migrationQuery } from '../../data/queries.ts'
import { Choice } from '../../ui/field.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { EmptyNote } from '../../ui/notice.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { partLabel } from './issues.tsx'

const route = getRouteApi('/app/migrations/$id/differences')

type Kind = Difference['kind']

const compared: Record<Kind, string> = {
  missing: 'Missing',
  different: 'Different',
  extra: 'Only in the destination',
}

const triedOut: Record<Kind, string> = {
  missing: 'Would be copied',
  different: 'Would be updated',
  extra: 'Would be deleted',
}

/** Longer texts are cut. */
const mostShown = 200

function columns(migration: Migration): Column<Difference>[] {
  const words = migration.mode === 'dry-run' ? triedOut : compared
  return [
    { key: 'item', header: 'Item', narrow: 'title', cell: nameOf },
    { key: 'part', header: 'Part', cell: ({ component }) => partLabel(migration, component) },
    { key: 'kind', header: 'What', cell: (one) => kindOf(one, words) },
    { key: 'fields', header: 'Fields', narrow: 'plain', cell: fieldsOf },
  ]
}

function nameOf({ item: { name, sku, sourceId }, destinationId }: Difference) {
  return (
    <>
      <bdi>{name ?? sku ?? `Id ${sourceId ?? destinationId}`}</bdi>
      {name !== null && sku !== null && (
        <small>
          <bdi>{sku}</bdi>
        </small>
      )}
    </>
  )
}

function kindOf({ kind, living: isOwnValue, kept, changedMeanwhile }: Difference, words: Record<Kind, string>) {
  return (
    <>
      {kept ? 'Kept: shoppers made it' : words[kind]}
      {isOwnValue && <small>Only values your shop changes itself.</small>}
      {changedMeanwhile && <small>A store changed meanwhile.</small>}
    </>
  )
}

function fieldsOf({ fields }: Difference) {
  if (fields.length === 0) return '–'
  return (
    <details className="more">
      <summary>{fields.map(({ path }) => path).join(', ')}</summary>
      <dl className="field-values">
        {fields.map(({ path, source, destination }) => (
          <div key={path}>
            <dt>{path}</dt>
            <dd>
              Source: <bdi>{shown(source)}</bdi>
            </dd>
            <dd>
              Destination: <bdi>{shown(destination)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
}

export function Differences() {
  const { id } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: migration } = useSuspenseQuery(migrationQuery(id))
  const { data } = useSuspenseQuery(differencesQuery(id, search))
  const { kind, cursor } = search
  const isTrial = migration.mode === 'dry-run'
  return (
    <ListPanel
      filters={
        <Choice
          label="What"
          words={isTrial ? triedOut : compared}
          value={kind}
          onChange={(next) => navigate({ search: { kind: next }, replace: true })}
        />
      }
      nextCursor={data.nextCursor}
      cursor={cursor}
      onTurn={(next) => navigate({ search: { ...search, cursor: next } })}
      order="name"
    >
      <Table
        caption={isTrial ? 'What a copy would do' : 'Differences'}
        columns={columns(migration)}
        rows={data.items}
        rowKey={({ id: each }) => each}
        empty={<EmptyNote title={isTrial ? 'A copy would change nothing of this kind' : 'Nothing differs'} />}
      />
    </ListPanel>
  )
}

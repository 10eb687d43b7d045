import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { isLive } from '../../../src/contract/status.ts'
import {
  type Difference,
  differencesQuery,
  type EntityEntry,
  type Migration,
  type MigrationRequest,
  migrationQuery,
  requestQuery,
} from '../../data/queries.ts'
import { entitiesQuery } from '../../data/store-queries.ts'
import { DownloadButton } from '../../download-button.tsx'
import { distinctNames } from '../../format/distinct-names.ts'
import { fieldName } from '../../format/field-name.ts'
import { useAsker } from '../../session.tsx'
import { ClearFilters } from '../../ui/clear-filters.tsx'
import { Choice, SearchField } from '../../ui/field.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { EmptyNote } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SayOnce } from '../../ui/reasons.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { useShown } from '../../use-shown.ts'
import { isOfUse } from '../../words.ts'
import { PartState } from '../part-state.tsx'
import { AcceptShown } from './difference-acceptance.tsx'
import { DifferenceActions, whyOff } from './difference-actions.tsx'
import { compared, differenceFiltersOf } from './difference-filters.ts'
import { FieldValues, ofBothStores } from './field-values.tsx'
import { DifferencesLink, Verdict } from './is-it-right.tsx'
import { ItemCell, nameOr } from './item-cell.tsx'
import { partLabel, partWords } from './parts.ts'

const route = getRouteApi('/app/migrations/$id/differences')

type Kind = Difference['kind']

const triedOut: Record<Kind, string> = {
  missing: 'Would be copied',
  different: 'Would be updated',
  extra: 'Would be deleted',
}

const ownValues = { without: 'Without them', only: 'Only them' }

/** What people call the items, in words that tell them apart. */
function differenceNames(migration: Migration, differences: readonly Difference[]) {
  const idOf = ({ item, destinationId }: Difference) => item.sourceId ?? destinationId
  const brief = (one: Difference) => nameOr(one.component, one.item, idOf(one))
  const full = (one: Difference) => `${brief(one)}, ${partLabel(migration, one.component)}, id ${idOf(one)}`
  return distinctNames(differences, brief, full)
}

function columns(
  migration: Migration,
  entities: readonly EntityEntry[],
  differences: readonly Difference[],
): Column<Difference>[] {
  const words = migration.mode === 'dry-run' ? triedOut : compared
  return [
    {
      key: 'item',
      header: 'Item',
      narrow: 'title',
      cell: ({ component, item, destinationId }) => (
        <ItemCell component={component} item={item} id={item.sourceId ?? destinationId} />
      ),
    },
    { key: 'part', header: 'Part', cell: ({ component }) => partLabel(migration, component) },
    { key: 'kind', header: 'What', cell: (one) => kindOf(one, words) },
    { key: 'fields', header: 'Fields', narrow: 'plain', cell: fieldsOf },
    // What a trial run found is not wrong yet.
    ...(migration.mode === 'dry-run' ? [] : [actionsOf(migration, entities, differenceNames(migration, differences))]),
  ]
}

function actionsOf(
  migration: Migration,
  entities: readonly EntityEntry[],
  nameOf: (difference: Difference) => string,
): Column<Difference> {
  return {
    key: 'actions',
    header: 'Actions',
    narrow: 'plain',
    cell: (one) => <DifferenceActions difference={one} migration={migration} entities={entities} name={nameOf(one)} />,
  }
}

function kindOf({ kind, living: isOwnValue, kept, changedMeanwhile, state }: Difference, words: Record<Kind, string>) {
  return (
    <>
      {kept ? keptWords(kind) : words[kind]}
      {isOwnValue && <small>Only values your shop changes itself.</small>}
      {changedMeanwhile && <small>A store changed meanwhile.</small>}
      {state === 'dismissed' && <small>Accepted as it is.</small>}
    </>
  )
}

/** What stays so on purpose: what only the destination has, and people who were deleted there. */
function keptWords(kind: Kind): string {
  return kind === 'extra'
    ? 'Kept: shoppers made it, the store needs it, or it was copied from elsewhere'
    : 'Left so: it was deleted there'
}

function fieldsOf({ fields }: Difference) {
  if (fields.length === 0) return '–'
  return (
    <details className="more">
      <summary>{fields.map(({ path }) => fieldName(path)).join(', ')}</summary>
      <FieldValues fields={fields.map(ofBothStores)} />
    </details>
  )
}

/** The differences of a comparison or trial run; for a copy, those of its latest comparison. */
export function Differences() {
  const { id } = route.useParams()
  const { data: migration } = useSuspenseQuery(migrationQuery(id))
  const { data: request } = useSuspenseQuery(requestQuery(id))
  if (migration.mode === 'full') return <OfCopy comparison={request.comparison} />
  return <Found migration={migration} />
}

function OfCopy({ comparison }: Pick<MigrationRequest, 'comparison'>) {
  if (comparison === null)
    return (
      <Panel>
        <EmptyNote title="Not compared yet">
          When copying has ended, Compare, above, reads both stores field by field and changes nothing.
        </EmptyNote>
      </Panel>
    )
  return (
    <Panel title="The latest comparison">
      <Verdict id={comparison.requestId} />
      <p>
        Begun <When at={comparison.createdAt} />.{' '}
        {comparison.isCurrent ? 'The copy has not changed since.' : 'The copy went on since: compare again.'}
      </p>
      <DifferencesLink id={comparison.requestId} as="p" />
    </Panel>
  )
}

function Found({ migration }: { migration: Migration }) {
  const { requestId: id, mode } = migration
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { kind, part, text, own } = search
  const queryOf = (one: typeof search) => differencesQuery(id, differenceFiltersOf(one))
  const { shown, failed } = useShown(search, queryOf)
  const { data } = useSuspenseQuery(queryOf(shown))
  const { data: entities } = useSuspenseQuery(entitiesQuery())
  const asker = useAsker()
  const isTrial = mode === 'dry-run'
  const change = (next: Partial<typeof search>) =>
    navigate({ search: { kind, part, text, own, ...next, cursor: undefined }, replace: true })
  // Links to what is wrong leave out the shop's own values, which is no search of the person.
  const isSearched = [shown.kind, shown.part, shown.text].some((one) => one !== undefined) || shown.own === 'only'
  const ended = isTrial ? 'A copy would change nothing' : 'Nothing differs'
  const none = isLive(migration.status) ? 'Nothing so far' : ended
  return (
    <>
      {!isTrial && isOfUse(migration) && <Verdict id={id} />}
      <ListPanel
        filters={
          <>
            <SearchField
              label="Name, SKU or whole id"
              value={text ?? ''}
              onChange={(next) => change({ text: next || undefined })}
            />
            <Choice
              label="What"
              words={isTrial ? triedOut : compared}
              value={kind}
              onChange={(next) => change({ kind: next })}
            />
            <Choice
              label="Part"
              words={partWords(migration)}
              value={part}
              onChange={(next) => change({ part: next })}
            />
            <Choice
              label="Values your shop changes itself"
              words={ownValues}
              value={own}
              onChange={(next) => change({ own: next })}
            />
            <DownloadButton
              path={`/v2/migrations/${id}/differences.csv`}
              query={differenceFiltersOf({ kind, part, text, own })}
            />
          </>
        }
        problem={failed && <PartState query={failed} />}
        page={data}
        shown={shown}
        onTurn={(next) => navigate({ search: { ...shown, cursor: next } })}
        order="name"
      >
        <SayOnce reasons={isTrial ? [] : data.items.flatMap((one) => whyOff(one, entities.items, asker))}>
          {!isTrial && !isLive(migration.status) && <AcceptShown differences={data.items} migration={migration} />}
          <Table
            caption={isTrial ? 'What a copy would do' : 'Differences'}
            columns={columns(migration, entities.items, data.items)}
            rows={data.items}
            rowKey={({ id: each }) => each}
            empty={
              <EmptyNote title={isSearched ? 'Nothing matches' : none} action={isSearched && <ClearFilters />}>
                {shown.own === 'without' && 'Values your shop changes itself are left out of this list.'}
              </EmptyNote>
            }
          />
        </SayOnce>
      </ListPanel>
    </>
  )
}

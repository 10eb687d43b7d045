import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type EntityEntry, migrationsQuery, type StoreDetail } from '../../data/queries.ts'
import { countsQuery, entitiesQuery, storefrontsQuery, storeQuery } from '../../data/store-queries.ts'
import { wholeNumber } from '../../format/number.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Fact } from '../../ui/fact.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Screen } from '../../ui/screen.tsx'
import { Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { groupWords, troubleWords } from '../../words.ts'
import { briefColumns } from '../migrations.tsx'
import { PartState } from '../part-state.tsx'
import { MissingScopes } from './connected.tsx'
import { StoreActions } from './store-actions.tsx'
import { AccessBadge, CopyLinks } from './stores.tsx'

const route = getRouteApi('/app/stores/$hash')

export function Store() {
  const { hash } = route.useParams()
  const { data: store, refetch, isFetching } = useSuspenseQuery(storeQuery(hash))
  const { access, label } = store
  return (
    <Screen
      title={label}
      mark={<AccessBadge access={access} />}
      crumbs={[{ label: 'Stores', to: paths.stores }]}
      lead={
        <>
          Store hash <code>{hash}</code>, access checked <When at={access.checkedAt} />
        </>
      }
      action={
        <>
          <Button variant="secondary" busy={isFetching} onClick={() => refetch()}>
            Check now
          </Button>
          <CopyLinks hash={hash} label={label} />
        </>
      }
    >
      <Trouble store={store} />
      <div className="columns">
        <div className="stack">
          <StoreMigrations hash={hash} label={label} />
          {access.reachable && <Contents hash={hash} />}
        </div>
        <div className="stack">
          <About store={store} />
          <StoreActions store={store} />
        </div>
      </div>
    </Screen>
  )
}

function Trouble({ store: { hash, access } }: { store: StoreDetail }) {
  if (access.reachable)
    return access.missingScopes.length > 0 && <MissingScopes hash={hash} before={access.missingScopes} />
  return (
    <Notice tone={access.state === 'refused' ? 'stopped' : 'review'}>
      <p>{troubleWords[access.state]}</p>
      {access.state === 'refused' && (
        <Link to={paths.connectStore} search={{ hash }}>
          Give a new token
        </Link>
      )}
    </Notice>
  )
}

function StoreMigrations({ hash, label }: { hash: string; label: string }) {
  const { data } = useSuspenseQuery(migrationsQuery({ store: hash, limit: 5 }))
  return (
    <Panel
      title="Migrations"
      flush
      action={
        data.nextCursor !== null && (
          <Link to={paths.migrations} search={{ store: hash }}>
            All of its migrations
          </Link>
        )
      }
    >
      <Table
        caption={`Latest migrations of ${label}`}
        columns={briefColumns}
        rows={data.items}
        rowKey={({ requestId }) => requestId}
        empty={<p className="quiet-line">No migration has used this store yet.</p>}
      />
    </Panel>
  )
}

function About({ store: { hash, about, connectedAt, access } }: { store: StoreDetail }) {
  const { data: storefronts } = useQuery({ ...storefrontsQuery(hash), enabled: access.reachable })
  return (
    <Panel title="About">
      <dl className="facts">
        {facts(about).map(([term, value]) => (
          <Fact key={term} term={term}>
            <bdi>{value}</bdi>
          </Fact>
        ))}
        {storefronts && (
          <Fact term="Storefronts">
            {storefronts.items.map(({ id, name }) => (
              <div key={id}>
                <bdi>{name}</bdi>
              </div>
            ))}
          </Fact>
        )}
        <Fact term="Connected">
          <When at={connectedAt} />
        </Fact>
      </dl>
    </Panel>
  )
}

function facts(about: StoreDetail['about']): [string, string][] {
  if (!about) return []
  const { name, domain, plan, currency, weightUnit, lengthUnit } = about
  const all: [string, string | null][] = [
    ['Name', name],
    ['Domain', domain],
    ['Plan', plan],
    ['Currency', currency],
    ['Weights in', weightUnit],
    ['Lengths in', lengthUnit],
  ]
  return all.flatMap(([term, value]) => (value === null ? [] : [[term, value]]))
}

/** What the store contains, with links to browse it. */
function Contents({ hash }: { hash: string }) {
  const { data: entities } = useSuspenseQuery(entitiesQuery())
  const counts = useQuery(countsQuery(hash))
  const found = counts.data?.stores[0]
  const browsable = entities.items.filter(({ browsable }) => browsable)
  const groups = Object.entries(groupWords).map(([group, words]) => ({
    words,
    kinds: browsable.filter((one) => one.group === group),
  }))
  return (
    <Panel title="What it holds">
      {!found && <PartState query={counts}>Counting…</PartState>}
      <p className="hint">
        {found && totalsOf(found, entities.items)} Open a kind to see its items; one without a number is not counted
        here. People’s data is shown by id only.
      </p>
      <dl className="facts">
        {groups.map(({ words, kinds }) => (
          <Fact key={words} term={words}>
            <Kinds hash={hash} kinds={kinds} counts={found?.counts ?? {}} />
          </Fact>
        ))}
      </dl>
    </Panel>
  )
}

function Kinds({ hash, kinds, counts }: { hash: string; kinds: EntityEntry[]; counts: Record<string, number> }) {
  return (
    <ul className="inline-list">
      {kinds.map(({ key, label }) => (
        <li key={key}>
          <Link to={paths.browse} params={{ hash, entity: key }}>
            {label}
          </Link>
          {counts[key] !== undefined && ` ${wholeNumber(counts[key])}`}
        </li>
      ))}
    </ul>
  )
}

interface Found {
  counts: Record<string, number>
  estimated: string[]
}

function totalsOf({ counts, estimated }: Found, entities: EntityEntry[]): string {
  const labels = new Map(
    entities.flatMap(({ components }) => components.map(({ key, label }) => [key, label] as const)),
  )
  const parts = Object.entries(counts).map(([key, count]) => {
    const about = estimated.includes(key) ? 'about ' : ''
    return `${labels.get(key) ?? key}: ${about}${wholeNumber(count)}`
  })
  return `${parts.join(', ')}.`
}

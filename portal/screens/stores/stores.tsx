import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { whyNotStart, whyNotStore } from '../../allowed.ts'
import type { StoreEntry } from '../../data/queries.ts'
import { storesQuery } from '../../data/store-queries.ts'
import { paths } from '../../paths.ts'
import { useAsker } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ClearFilters } from '../../ui/clear-filters.tsx'
import { SearchField } from '../../ui/field.tsx'
import { LinkOrReason } from '../../ui/link-or-reason.tsx'
import { EmptyNote } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Results } from '../../ui/results.tsx'
import { Screen } from '../../ui/screen.tsx'
import { When } from '../../ui/when.tsx'
import { accessTones, accessWords } from '../../words.ts'

const route = getRouteApi('/app/stores')

function NoStores() {
  return (
    <EmptyNote title="No stores yet" action={<ConnectLink />}>
      Connect the store you copy from and the store you copy to. Nothing is copied before you start a migration.
    </EmptyNote>
  )
}

const noMatch = <EmptyNote title="No store matches" action={<ClearFilters />} />

function ConnectLink() {
  return (
    <LinkOrReason to={paths.connectStore} offBecause={whyNotStore('add-store', useAsker())}>
      Connect a store
    </LinkOrReason>
  )
}

/** As many stores are seen at a glance. */
const fewStores = 8

export function Stores() {
  const { data } = useSuspenseQuery(storesQuery())
  const { text = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const sought = text.trim().toLowerCase()
  const found = data.items.filter(({ hash, label }) => hash.includes(sought) || label.toLowerCase().includes(sought))
  return (
    <Screen title="Stores" action={data.items.length > 0 && <ConnectLink />}>
      {(data.items.length > fewStores || text !== '') && (
        <search>
          <SearchField
            label="Name or hash"
            value={text}
            onChange={(next) => navigate({ search: { text: next || undefined }, replace: true })}
          />
          <Results shown={text} count={found.length} />
        </search>
      )}
      {found.length === 0 ? (
        <Panel>{data.items.length === 0 ? <NoStores /> : noMatch}</Panel>
      ) : (
        <ul className="cards">
          {found.map((store) => (
            <li key={store.hash}>
              <StoreCard store={store} />
            </li>
          ))}
        </ul>
      )}
    </Screen>
  )
}

function StoreCard({ store: { hash, label, access } }: { store: StoreEntry }) {
  return (
    <Panel>
      <h2 className="card-title">
        <Link to={paths.store} params={{ hash }}>
          <bdi>{label}</bdi>
        </Link>
      </h2>
      <p className="hint">
        Store hash <code>{hash}</code>
      </p>
      <p className="card-state">
        <AccessBadge access={access} />
        {access && (
          <small>
            checked <When at={access.checkedAt} />
          </small>
        )}
      </p>
      <CopyLinks hash={hash} label={label} />
    </Panel>
  )
}

export function AccessBadge({ access }: Pick<StoreEntry, 'access'>) {
  if (!access) return <Badge tone="quiet">Not looked at yet</Badge>
  return <Badge tone={accessTones[access.state]}>{accessWords[access.state]}</Badge>
}

/** Links to a migration from this store, and to one into it. */
export function CopyLinks({ hash, label }: Pick<StoreEntry, 'hash' | 'label'>) {
  if (whyNotStart(useAsker()) !== undefined) return null
  const link = { to: paths.newMigration, isSecondary: true, offBecause: undefined }
  return (
    <div className="row-actions">
      <LinkOrReason {...link} search={{ source: hash }} name={`Copy from ${label}`}>
        Copy from
      </LinkOrReason>
      <LinkOrReason {...link} search={{ destination: hash }} name={`Copy to ${label}`}>
        Copy to
      </LinkOrReason>
    </div>
  )
}

import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { whyNotRename } from '../../allowed.ts'
import { renameMigration } from '../../data/migration-actions.ts'
import {
  type Migration,
  type MigrationRequest,
  migrationQuery,
  ofOrganization,
  requestQuery,
} from '../../data/queries.ts'
import { storefrontsQuery } from '../../data/store-queries.ts'
import { counted, wholeNumber } from '../../format/number.ts'
import { RenameDialog } from '../../rename-dialog.tsx'
import { useAsker } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Fact } from '../../ui/fact.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useWhys } from '../../ui/reasons.tsx'
import { modeWords, orderStatusWords, strategyMeanings, strategyWords } from '../../words.ts'
import { partLabel } from './parts.ts'
import { startExample } from './start-example.ts'

const route = getRouteApi('/app/migrations/$id')

/** Every choice made for a migration, in words, with the names that scripts use in small type. */
export function Settings() {
  const { id } = route.useParams()
  const { data: migration } = useSuspenseQuery(migrationQuery(id))
  const { data: request } = useSuspenseQuery(requestQuery(id))
  return (
    <div className="stack">
      <Name id={id} label={request.label} />
      <Panel title="Choices">
        <p className="hint">In small type, what scripts call them.</p>
        <Choices migration={migration} request={request} hasNames />
      </Panel>
      <Panel title="For scripts">
        <p className="copy-line">
          Id of this migration <code>{id}</code> <CopyButton text={id} label="Copy the id" />
        </p>
        {migration.mode !== 'verify' && (
          <p className="copy-line">
            The same again, with a token of a login in <code>STOREFERRY_TOKEN</code>{' '}
            <CopyButton
              text={startExample(location.origin, { ...request.settings, label: request.label ?? undefined })}
              label="Copy as curl"
              words="Copy as curl"
            />
          </p>
        )}
      </Panel>
    </div>
  )
}

function Name({ id, label }: Pick<MigrationRequest, 'label'> & { id: string }) {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const offBecause = whyNotRename(useAsker())
  const { idOf, notes } = useWhys([offBecause])
  async function save(name: string) {
    await renameMigration(id, name.trim() || null)
    await queries.invalidateQueries({ queryKey: requestQuery(id).queryKey })
    await queries.invalidateQueries({ queryKey: ofOrganization('migrations') })
  }
  return (
    <Panel title="Name">
      <p className="summary">{label === null ? 'It has no name.' : <bdi>{label}</bdi>}</p>
      <Button variant="secondary" offBecause={idOf(offBecause)} onClick={() => setOpen(true)}>
        Rename
      </Button>
      {notes}
      {isOpen && (
        <RenameDialog
          title="Rename this migration"
          hint="Empty for none."
          name={label ?? ''}
          onSave={save}
          onClose={() => setOpen(false)}
        />
      )}
    </Panel>
  )
}

interface Template {
  file: string
  globals: boolean
}

interface ChoicesProps {
  migration: Migration
  request: MigrationRequest
  /** Whether the names that scripts use are beside the words. */
  hasNames?: boolean
}

/** Every choice made for a migration, in words. */
export function Choices({ migration, request: { settings, scope }, hasNames = false }: ChoicesProps) {
  const { source, destination } = migration
  const { pageTemplates: templates = [] } = settings.selection as { pageTemplates?: Template[] }
  return (
    <dl className="facts">
      <Fact term="What">
        {modeWords[settings.mode]} {hasNames && <small>{settings.mode}</small>}
      </Fact>
      <Fact term="Copy from">
        <bdi>{source.label}</bdi> {hasNames && <small>{source.hash}</small>}
      </Fact>
      <Fact term="Copy to">
        <bdi>{destination.label}</bdi> {hasNames && <small>{destination.hash}</small>}
      </Fact>
      <Fact term="Items that are already there">
        {strategyWords[settings.conflictStrategy]} {hasNames && <small>{settings.conflictStrategy}</small>}
        <p className="hint">{strategyMeanings[settings.conflictStrategy]}</p>
      </Fact>
      {!migration.selective && (
        <Fact term="Kinds">
          {settings.entities ? migration.phases.map(({ label }) => label).join(', ') : 'Everything'}
        </Fact>
      )}
      {templates.length > 0 && (
        <Fact term="Pages by template">
          {templates.map(({ file }) => file).join(', ')}
          {templates.some(({ globals }) => globals) && ', with the widgets on all pages'}
        </Fact>
      )}
      {scope && scope.length > 0 && (
        <Fact term="Picked items">
          <Scope scope={scope} migration={migration} />
        </Fact>
      )}
      {settings.sourceStorefront !== null && (
        <Fact term="Storefront">
          <StorefrontName hash={source.hash} id={settings.sourceStorefront} /> to{' '}
          <StorefrontName hash={destination.hash} id={settings.destStorefront} />
        </Fact>
      )}
      {choices(settings, migration).map(({ term, value }) => (
        <Fact key={term} term={term}>
          {value}
        </Fact>
      ))}
    </dl>
  )
}

/** The store knows its name. One that is not connected any more, or has another name by now, has its id. */
function StorefrontName({ hash, id }: { hash: string; id: string | null }) {
  const { data } = useQuery(storefrontsQuery(hash))
  const name = data?.items.find((one) => one.id === id)?.name
  return name === undefined ? `id ${id}` : <bdi>{name}</bdi>
}

const onOff = (isOn: boolean) => (isOn ? 'On' : 'Off')

function choices(settings: MigrationRequest['settings'], migration: Migration): { term: string; value: string }[] {
  const {
    conflictStrategy,
    pruneLimitPercent,
    pruneLimitItems,
    orderStatuses,
    overwriteLiving,
    pruneLive,
    recreateErased,
    themes,
  } = settings
  const labels = (parts: string[]) => parts.map((part) => partLabel(migration, part)).join(', ')
  return [
    { term: 'Try again automatically', value: onOff(settings.autoHeal) },
    { term: 'Order mails at the destination', value: settings.muteMails ? 'Off while orders are copied' : 'On' },
    {
      term: 'Orders',
      value:
        orderStatuses.length === 0
          ? 'In every status'
          : orderStatuses.map((id) => orderStatusWords[id] ?? id).join(', '),
    },
    { term: 'Tracking consent of customers', value: onOff(settings.customerConsent) },
    { term: 'Compare sizes of pictures', value: onOff(settings.deepImages) },
    ...(overwriteLiving.length > 0
      ? [{ term: 'Values your shop changes itself', value: `Overwritten for ${labels(overwriteLiving)}` }]
      : []),
    ...(recreateErased.length > 0 ? [{ term: 'Created again if deleted', value: labels(recreateErased) }] : []),
    ...(themes ? [{ term: 'Themes', value: themes === 'activate' ? 'Uploaded and shown' : 'Uploaded' }] : []),
    ...(conflictStrategy === 'replace'
      ? [
          {
            term: 'Asks before deleting',
            value:
              pruneLimitPercent === 0 || pruneLimitItems === 0
                ? 'Anything'
                : `More than ${pruneLimitPercent}% of a kind or ${counted(pruneLimitItems, 'item')}`,
          },
        ]
      : []),
    ...(pruneLive.length > 0 ? [{ term: 'Delete what shoppers made', value: labels(pruneLive) }] : []),
  ]
}

function Scope({ scope, migration }: { scope: NonNullable<MigrationRequest['scope']>; migration: Migration }) {
  return (
    <ul className="plain-list">
      {scope.map(({ component, picked, needed }) => (
        <li key={component}>
          {partLabel(migration, component)}: {counted(picked, 'item')} picked
          {needed > 0 && `, and ${wholeNumber(needed)} that they need`}
        </li>
      ))}
    </ul>
  )
}

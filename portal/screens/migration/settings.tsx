import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type Migration, type MigrationRequest, migrationQuery, requestQuery } from '../../data/queries.ts'
import { counted, wholeNumber } from '../../format/number.ts'
import { aboutDuration } from '../../format/time.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Fact } from '../../ui/fact.tsx'
import { Panel } from '../../ui/panel.tsx'
import { modeWords, orderStatusWords, strategyMeanings, strategyWords } from '../../words.ts'
import { partLabel } from './parts.ts'

const route = getRouteApi('/app/migrations/$id')

/** Every choice made for a migration, in words, with the names that scripts use in small type. */
export function Settings() {
  const { id } = route.useParams()
  const { data: migration } = useSuspenseQuery(migrationQuery(id))
  const { data: request } = useSuspenseQuery(requestQuery(id))
  const { settings, plan } = request
  return (
    <div className="stack">
      <Panel title="Choices">
        <p className="hint">In small type, what scripts call them.</p>
        <dl className="facts">
          <Fact term="What">
            {modeWords[settings.mode]} <small>{settings.mode}</small>
          </Fact>
          <Fact term="Copy from">
            <bdi>{migration.source.label}</bdi> <small>{migration.source.hash}</small>
          </Fact>
          <Fact term="Copy to">
            <bdi>{migration.destination.label}</bdi> <small>{migration.destination.hash}</small>
          </Fact>
          <Fact term="Items that are already there">
            {strategyWords[settings.conflictStrategy]} <small>{settings.conflictStrategy}</small>
            <p className="hint">{strategyMeanings[settings.conflictStrategy]}</p>
          </Fact>
          <Fact term="Kinds">
            {settings.entities ? migration.phases.map(({ label }) => label).join(', ') : 'Everything'}
          </Fact>
          {settings.sourceStorefront !== null && (
            <Fact term="Storefront">
              {settings.sourceStorefront} to {settings.destStorefront}
            </Fact>
          )}
          {choices(settings, migration).map(({ term, value }) => (
            <Fact key={term} term={term}>
              {value}
            </Fact>
          ))}
        </dl>
      </Panel>
      {request.scope && <Scope scope={request.scope} migration={migration} />}
      {plan && <Plan plan={plan} />}
      <Panel title="For scripts">
        <p className="copy-line">
          Id of this migration <code>{id}</code> <CopyButton text={id} label="Copy the id" />
        </p>
      </Panel>
    </div>
  )
}

function Plan({ plan }: { plan: NonNullable<MigrationRequest['plan']> }) {
  const { sourceReads, destinationReads, writes, minutes } = plan
  const isKnown = sourceReads !== null && destinationReads !== null && writes !== null && minutes !== null
  if (!isKnown) return null
  return (
    <Panel title="What the copy would take">
      <p>
        Of the copy itself, not of this trial run: {wholeNumber(sourceReads)} calls that read the source,{' '}
        {wholeNumber(destinationReads)} that read the destination and {wholeNumber(writes)} that write to it:{' '}
        {aboutDuration(minutes * 60)}.
      </p>
    </Panel>
  )
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
            term: 'Asks before deleting more than',
            value: `${pruneLimitPercent}% of a kind or ${pruneLimitItems} items`,
          },
        ]
      : []),
    ...(pruneLive.length > 0 ? [{ term: 'Delete what shoppers made', value: labels(pruneLive) }] : []),
  ]
}

function Scope({ scope, migration }: { scope: NonNullable<MigrationRequest['scope']>; migration: Migration }) {
  return (
    <Panel title="Picked items">
      <ul>
        {scope.map(({ component, picked, needed }) => (
          <li key={component}>
            {partLabel(migration, component)}: {counted(picked, 'item')} picked
            {needed > 0 && `, and ${wholeNumber(needed)} that they need`}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

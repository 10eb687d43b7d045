import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { whyNotStart, whyNotStore } from '../../allowed.ts'
import { Confirm } from '../../confirm.tsx'
import {
  type ForecastBody,
  type Migration,
  type MigrationRequest,
  migrationQuery,
  requestQuery,
} from '../../data/queries.ts'
import { entitiesQuery, forecastQuery, preflightQuery, storesQuery } from '../../data/store-queries.ts'
import { paths } from '../../paths.ts'
import { useAsker, useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorSummary, type FieldProblem } from '../../ui/error-summary.tsx'
import { LinkOrReason } from '../../ui/link-or-reason.tsx'
import { EmptyNote, Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { GivenReasons, useWhys } from '../../ui/reasons.tsx'
import { Screen } from '../../ui/screen.tsx'
import { modeNouns } from '../../words.ts'
import { Check } from './check.tsx'
import { type Draft, draftFrom, draftOfItem, forecastBodyOf, missingChoice } from './draft.ts'
import { ForecastBar, ForecastCard } from './forecast-card.tsx'
import { How } from './how.tsx'
import { Start } from './start.tsx'
import { StoresSection } from './stores-section.tsx'
import { useDraft, useSettled } from './use-draft.ts'
import { What } from './what.tsx'

const route = getRouteApi('/app/migrations/new')

/** A draft is only sent after a pause, because every request reads both stores. */
const settleMs = 600

/** Takes the choices in the address into the draft once, and removes them from the address. */
export function NewMigration() {
  const { from, pick, ...address } = route.useSearch()
  const queries = useQueryClient()
  const request = from === undefined ? undefined : queries.getQueryData<MigrationRequest>(requestQuery(from).queryKey)
  const migration = from === undefined ? undefined : queries.getQueryData<Migration>(migrationQuery(from).queryKey)
  const [given] = useState<Partial<Draft> | undefined>(() => {
    if (request && migration)
      return draftFrom(request, { source: migration.source.hash, destination: migration.destination.hash })
    if (pick !== undefined) return draftOfItem({ ...address, pick })
    const { source, destination } = address
    return { ...(source !== undefined && { source }), ...(destination !== undefined && { destination }) }
  })
  const [filledFrom] = useState(() => {
    if (request && migration) return `the ${modeNouns[migration.mode]}${quoted(request.label)}`
    return pick && 'a copy of one item that differs'
  })
  return <DraftScreen given={given} filledFrom={filledFrom} />
}

function quoted(label: string | null): string {
  return label === null ? '' : ` “${label}”`
}

interface DraftProps {
  given: Partial<Draft> | undefined
  /** The earlier migration from which the choices come. */
  filledFrom: string | undefined
}

function DraftScreen({ given, filledFrom }: DraftProps) {
  const { user, organization } = useSession()
  const navigate = route.useNavigate()
  const asker = useAsker()
  const { data: stores } = useSuspenseQuery(storesQuery())
  const { data: entities } = useSuspenseQuery(entitiesQuery())
  const { draft, isKept, change, drop, startKey } = useDraft(
    `${user.id}.${organization?.id}`,
    given,
    stores.items.map(({ hash }) => hash),
  )
  const [problems, setProblems] = useState<FieldProblem[]>([])
  useEffect(() => {
    navigate({ search: {}, replace: true })
  }, [navigate])
  const missing = missingChoice(draft)
  const asked = missing === undefined ? JSON.stringify(forecastBodyOf(draft)) : ''
  const settled = useSettled(asked, settleMs)
  // An incomplete draft is not sent. The queries keep the last complete one.
  const body: ForecastBody = settled === '' ? forecastBodyOf(draft) : JSON.parse(settled)
  const isKnown = missing === undefined && settled !== ''
  const forecast = useQuery({ ...forecastQuery(body), enabled: isKnown })
  const preflight = useQuery({ ...preflightQuery(body), enabled: isKnown })
  // What was found for other choices, a moment ago, says nothing about these.
  const isOfThese = isKnown && settled === asked
  const found = isOfThese ? preflight : undefined
  const priced = isOfThese && !forecast.isPlaceholderData ? forecast.data : undefined
  const section = {
    draft,
    problems,
    onChange(next: Partial<Draft>) {
      // A change may have fixed the errors. The next start reports those that are left.
      setProblems([])
      change(next)
    },
  }
  const whys = useWhys([whyNotStart(asker)])
  if (stores.items.length < 2) return <TooFewStores count={stores.items.length} />
  return (
    <Screen
      title="New migration"
      crumbs={[{ label: 'Migrations', to: paths.migrations }]}
      lead={
        <>
          {filledFrom !== undefined && (
            <>
              The choices are those of <bdi>{filledFrom}</bdi>.{' '}
            </>
          )}
          Nothing happens before you start it.{' '}
          {isKept
            ? 'Your choices are kept in this browser.'
            : 'This browser has no room for your choices: leave this page only once you have started it.'}
        </>
      }
      action={<ClearChoices onClear={drop} />}
    >
      {whys.own.map(({ reason, id }) => (
        <Notice key={id} tone="quiet">
          <span id={id}>{reason}</span>
        </Notice>
      ))}
      {problems.length > 0 && <ErrorSummary title="The migration is not started" problems={problems} />}
      <div className="columns new-migration">
        <div className="stack">
          <StoresSection {...section} stores={stores.items} />
          <What {...section} entities={entities.items} forecast={isKnown ? forecast.data : undefined} />
          <How {...section} entities={entities.items} />
          <Check
            draft={draft}
            missing={missing}
            preflight={preflight}
            isKnown={isKnown}
            entities={entities.items}
            forecast={priced}
          />
          <GivenReasons value={whys.all}>
            <Start
              draft={draft}
              missing={missing}
              stores={stores.items}
              entities={entities.items}
              forecast={priced}
              preflight={found?.data}
              isLooking={missing === undefined && !found?.data && !found?.error}
              startKey={startKey}
              onLabel={(label) => section.onChange({ label })}
              problems={problems}
              onProblems={setProblems}
              onStarted={drop}
            />
          </GivenReasons>
        </div>
        <ForecastCard
          draft={draft}
          forecast={forecast}
          isKnown={isKnown}
          isOfThese={priced !== undefined}
          entities={entities.items}
        />
        <ForecastBar draft={draft} forecast={priced} />
      </div>
    </Screen>
  )
}

/** Asks first: what was picked one by one would take long to pick again. */
function ClearChoices({ onClear }: { onClear: () => void }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button variant="subtle" onClick={() => setAsking(true)}>
        Clear all choices
      </Button>
      {isAsking && (
        <Confirm
          title="Clear all choices?"
          confirm="Clear all choices"
          keep="Keep them"
          destructive
          onConfirm={async () => onClear()}
          onClose={() => setAsking(false)}
        >
          <p>The stores, what is copied, how, and the name are chosen anew.</p>
        </Confirm>
      )}
    </>
  )
}

function TooFewStores({ count }: { count: number }) {
  return (
    <Screen title="New migration" crumbs={[{ label: 'Migrations', to: paths.migrations }]}>
      <Panel>
        <EmptyNote
          title={count === 0 ? 'Connect two stores first' : 'Connect one more store'}
          action={
            <LinkOrReason to={paths.connectStore} offBecause={whyNotStore('add-store', useAsker())}>
              Connect a store
            </LinkOrReason>
          }
        >
          A migration copies one connected store to another.
        </EmptyNote>
      </Panel>
    </Screen>
  )
}

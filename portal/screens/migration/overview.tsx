import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { isLive } from '../../../src/contract/status.ts'
import { type Migration, type MigrationRequest, migrationQuery, requestQuery } from '../../data/queries.ts'
import { counted, wholeNumber } from '../../format/number.ts'
import { aboutDuration } from '../../format/time.ts'
import { Amount } from '../../ui/amount.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { counterWords, modeNouns, strategyWords } from '../../words.ts'
import { isUnplanned } from './counters.tsx'
import { IsItRight } from './is-it-right.tsx'
import { doneOf } from './parts.ts'
import { type StepState, stateWords, stepStates } from './step-states.ts'

const route = getRouteApi('/app/migrations/$id')

type Phase = Migration['phases'][number]
type Component = Phase['components'][number]

export function Overview() {
  const { id } = route.useParams()
  const { data: migration } = useSuspenseQuery(migrationQuery(id))
  const { data: request } = useSuspenseQuery(requestQuery(id))
  const known = knownPlan(request.plan)
  return (
    <div className="stack">
      <IsItRight migration={migration} request={request} />
      <NoWidgets migration={migration} />
      <div className="columns">
        <Panel title="Steps" flush>
          <Steps migration={migration} plan={request.plan} />
        </Panel>
        <div className="stack">
          <Facts migration={migration} />
          {known ? <CopyPanel {...known} /> : <ForecastPanel migration={migration} reason={request.fallbackReason} />}
        </div>
      </div>
    </div>
  )
}

/** Widgets on all pages that were asked for and did not come: nothing else says so, because it is no failure. */
function NoWidgets({ migration: { pageTemplates, mode, status, conflictStrategy } }: { migration: Migration }) {
  const isMissing = pageTemplates?.globalsRequested && pageTemplates.globalContextsPublished === 0
  if (!isMissing || mode !== 'full' || isLive(status)) return null
  const why =
    conflictStrategy === 'skip'
      ? `The destination has its own, which “${strategyWords.skip}” leaves alone`
      : 'The source has none any more'
  return <Notice tone="review">None of the widgets on all pages was copied. {why}, or it failed: see Issues.</Notice>
}

type Plan = MigrationRequest['plan']

export function Steps({ migration, plan }: { migration: Migration; plan: Plan }) {
  const states = stepStates(migration)
  const steps = migration.phases.map((phase, at) => ({ phase, state: states[at] ?? 'waiting' }))
  const shown = steps.filter(({ phase, state }) => state !== 'done' || phase.total > 0 || doneOf(phase) > 0)
  const folded = steps.length - shown.length
  return (
    <div className="steps">
      {shown.map(({ phase, state }) => (
        <Step key={phase.key} phase={phase} mode={migration.mode} plan={plan} state={state} />
      ))}
      {folded > 0 && <p className="quiet-line">{counted(folded, 'step')} had nothing to do.</p>}
    </div>
  )
}

interface StepProps {
  phase: Phase
  mode: Migration['mode']
  plan: Plan
  state: StepState
}

function Step({ phase, mode, plan, state }: StepProps) {
  const done = doneOf(phase)
  const percent = phase.total === 0 ? 0 : Math.min(100, (100 * done) / phase.total)
  return (
    <details className={`step step-${state}`}>
      <summary>
        <span className="step-name">{phase.label}</span>
        <span className="step-count">
          {phase.total > 0 && amountOf(mode, done, phase.total)}
          {phase.failed > 0 && (
            <span className="step-review">
              {wholeNumber(phase.failed)} {failedWords[mode]}
            </span>
          )}
        </span>
        <span className="step-state">{stateWords[state]}</span>
      </summary>
      {state === 'current' && <ProgressBar label={`Step ${phase.label}`} percent={percent} />}
      <Table
        caption={`Parts of ${phase.label}`}
        columns={componentColumns(mode, plan)}
        rows={phase.components}
        rowKey={({ key }) => key}
        empty={<p className="quiet-line">No parts.</p>}
      />
    </details>
  )
}

/** Items and their parts. One issue, which a person reviews, may be about several of them. */
const failedWords: Record<Migration['mode'], string> = {
  full: 'failed',
  'dry-run': 'would fail',
  verify: 'needs review',
  counts: 'failed',
}

/** A count only has a total, because it does nothing with the items. */
function amountOf(mode: Migration['mode'], done: number, total: number): string {
  return mode === 'counts' ? wholeNumber(total) : `${wholeNumber(done)} of ${wholeNumber(Math.max(total, done))}`
}

function componentColumns(mode: Migration['mode'], plan: Plan): Column<Component>[] {
  const words = counterWords[mode]
  const number = (key: string, header: string, value: (component: Component) => number): Column<Component> => ({
    key,
    header,
    align: 'right',
    cell: (component) => <Amount value={value(component)} />,
  })
  const name: Column<Component> = { key: 'label', header: 'Part', narrow: 'title', cell: nameOf }
  const found = number('discovered', 'found', ({ discovered }) => discovered)
  const review = number('failed', failedWords[mode], ({ failed }) => failed)
  if (mode === 'counts') return [name, number('total', 'counted', ({ total }) => total)]
  const [matched, skipped] = [
    number('matched', words.matched, (one) => one.matched),
    number('skipped', words.skipped, (one) => one.skipped),
  ]
  if (mode === 'verify') return [name, found, matched, skipped]
  return [
    name,
    found,
    number('success', mode === 'dry-run' ? 'would be written' : 'copied or updated', ({ success }) => success),
    matched,
    skipped,
    ...(isUnplanned(mode, plan)
      ? []
      : [number('pruned', words.deleted, ({ key, pruned }) => plan?.pruned[key] ?? pruned)]),
    review,
  ]
}

function nameOf({ label, errors, widgets }: Component) {
  return (
    <>
      {label}
      {widgets !== undefined && widgets > 0 && <small>{counted(widgets, 'widget')}</small>}
      {errors !== null && errors > 0 && <small>BigCommerce refused {counted(errors, 'call')}.</small>}
    </>
  )
}

function Facts({ migration: { timestamps, requestId } }: { migration: Migration }) {
  const { data: request } = useSuspenseQuery(requestQuery(requestId))
  return (
    <Panel title="About">
      <dl className="facts">
        <dt>Created</dt>
        <dd>
          <When at={timestamps.created} />
          {request.createdBy && (
            <>
              {' '}
              by <bdi>{request.createdBy.name}</bdi>
            </>
          )}
        </dd>
        {timestamps.started !== undefined && (
          <>
            <dt>Started</dt>
            <dd>
              <When at={timestamps.started} />
            </dd>
          </>
        )}
        <dt>Last change</dt>
        <dd>
          <When at={timestamps.updated} />
        </dd>
      </dl>
    </Panel>
  )
}

function ForecastPanel({ migration: { forecast, mode }, reason }: { migration: Migration; reason: string | null }) {
  if (!forecast) return null
  const items = Object.values(forecast.counts).reduce((sum, count) => sum + count, 0)
  const about = forecast.estimated.length > 0 ? 'about ' : ''
  return (
    <Panel title="Forecast">
      <p className="forecast">{aboutDuration(forecast.etaSeconds)}</p>
      <p className="hint">
        For this {modeNouns[mode]}, {about}
        {counted(items, 'item')}. Predicted {forecast.basis === 'fix' ? 'when they were tried again' : 'at the start'},
        from how fast both stores answered then.
      </p>
      {reason !== null && (
        <p className="hint">
          A guess: <bdi>{reason}</bdi>
        </p>
      )}
    </Panel>
  )
}

interface KnownPlan {
  sourceReads: number
  destinationReads: number
  writes: number
  minutes: number
}

/** Of a trial run that has ended. A store that did not say how much it allows leaves it unknown. */
function knownPlan(plan: Plan): KnownPlan | undefined {
  if (!plan) return undefined
  const { sourceReads, destinationReads, writes, minutes } = plan
  if (sourceReads === null || destinationReads === null || writes === null || minutes === null) return undefined
  return { sourceReads, destinationReads, writes, minutes }
}

function CopyPanel({ sourceReads, destinationReads, writes, minutes }: KnownPlan) {
  return (
    <Panel title="What the copy would take">
      <p className="forecast">{aboutDuration(minutes * 60)}</p>
      <p className="hint">
        The copy itself, not this trial run: {counted(sourceReads, 'call')} to read the source,{' '}
        {wholeNumber(destinationReads)} to read the destination and {wholeNumber(writes)} to write to it.
      </p>
    </Panel>
  )
}

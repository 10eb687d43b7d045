import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { limits } from '../../../src/contract/primitives/limits.ts'
import { whyNotDelete, whyNotStart } from '../../allowed.ts'
import { ApiError } from '../../data/client.ts'
import { fieldErrors, sentenceOf } from '../../data/errors.ts'
import { createMigration } from '../../data/migration-actions.ts'
import {
  type EntityEntry,
  type Forecast,
  type MigrationBody,
  migrationKey,
  type Preflight,
  type StoreEntry,
} from '../../data/queries.ts'
import { counted } from '../../format/number.ts'
import { isSameName } from '../../format/same-name.ts'
import { aboutDuration } from '../../format/time.ts'
import { useAsker } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import type { FieldProblem } from '../../ui/error-summary.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useWhys } from '../../ui/reasons.tsx'
import { type Draft, deletesOfShoppers, fieldOfPath, isWide, migrationBodyOf } from './draft.ts'
import { scopeWords, sentencesOf } from './effects.ts'
import { problemAt } from './section.ts'

interface Props {
  draft: Draft
  missing: FieldProblem | undefined
  stores: StoreEntry[]
  entities: EntityEntry[]
  forecast: Forecast | undefined
  preflight: Preflight | undefined
  /** Whether it is not known yet what both stores say, such as that the destination is a shop in use. */
  isLooking: boolean
  startKey: (body: MigrationBody) => string
  onLabel: (label: string) => void
  problems: FieldProblem[]
  onProblems: (problems: FieldProblem[]) => void
  onStarted: () => void
}

/** What will happen, in a few sentences, and the button. */
export function Start(props: Props) {
  const { draft, missing, stores, entities, forecast, preflight, isLooking, onLabel, problems, onProblems } = props
  const labels = new Map(entities.map(({ key, label }) => [key, label]))
  const [typed, setTyped] = useState('')
  const asker = useAsker()
  const { start, busy } = useStart(props)
  const nameOf = (hash: string) => stores.find((store) => store.hash === hash)?.label ?? ''
  const [source, destination] = [nameOf(draft.source), nameOf(draft.destination)]
  const live = preflight?.destinationLive ?? null
  // Unless the stores could be looked at, the destination may be a shop in use.
  const isUnknown = missing === undefined && !isLooking && preflight === undefined
  const mustType = !draft.isTrial && (draft.strategy === 'replace' || live !== null || isUnknown)
  const offBecause =
    whyNotStart(asker) ??
    (isWide(draft) || deletesOfShoppers(draft) ? whyNotDelete(asker) : undefined) ??
    (isLooking && !draft.isTrial ? 'Both stores are still being looked at; see Check.' : undefined) ??
    (preflight && preflight.stops.length > 0 ? 'Fix what stands in the way first; see Check.' : undefined) ??
    (mustType && !isSameName(typed, destination) ? `Type the name of the destination first.` : undefined)
  const { idOf, notes } = useWhys([offBecause])
  function run() {
    if (missing) return onProblems([missing])
    start()
  }
  return (
    <Panel id="new-start" title="5. Start">
      {missing ? (
        <p className="hint">{missing.message}</p>
      ) : (
        <p className="summary-line">
          {draft.isTrial ? 'Tries out copying' : 'Copies'} {scopeWords(draft, labels)} from{' '}
          <strong>
            <bdi>{source}</bdi>
          </strong>{' '}
          to{' '}
          <strong>
            <bdi>{destination}</bdi>
          </strong>
          . {sentencesOf(draft).join(' ')}{' '}
          {forecast && forecast.basis !== 'fallback' && `Takes ${aboutDuration(forecast.etaSeconds)}.`}
        </p>
      )}
      <TextField
        id="new-label"
        label="Name (optional)"
        value={draft.label}
        onChange={onLabel}
        maxLength={limits.textLength}
        hint="Such as Spring copy. It helps to find the migration again."
        problem={problemAt(problems, 'new-label')}
      />
      {live && !draft.isTrial && (
        <Notice tone="review" title="The destination is a shop in use">
          {destination} (<bdi>{live.domain}</bdi>) took {counted(live.ordersIn30Days, 'order')} in the last 30 days.
        </Notice>
      )}
      {isUnknown && !draft.isTrial && (
        <Notice tone="review">Whether the destination is a shop in use is not known: see Check.</Notice>
      )}
      {mustType && <TextField label={`Type ${destination} to confirm`} value={typed} onChange={setTyped} />}
      <div className="dialog-actions">
        <Button busy={busy} offBecause={idOf(offBecause)} onClick={run}>
          {startWords(draft)}
        </Button>
      </div>
      {notes}
    </Panel>
  )
}

function startWords({ isTrial, strategy, confirmsDeletions }: Draft): string {
  if (isTrial) return 'Start trial run'
  return strategy === 'replace' && confirmsDeletions ? 'Start, ask before deleting' : 'Start copying'
}

/** Starts only one migration, however often the button is pressed or a response is lost. */
function useStart({ draft, startKey, onProblems, onStarted }: Props) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const isUnderWay = useRef(false)
  async function start() {
    // A second click may come before the button is rendered again.
    if (isUnderWay.current) return
    isUnderWay.current = true
    setBusy(true)
    onProblems([])
    try {
      const body = migrationBodyOf(draft)
      const migration = await createMigration(body, startKey(body))
      queries.setQueryData(migrationKey(migration.requestId), migration)
      await navigate({ to: '/app/migrations/$id', params: { id: migration.requestId } })
      onStarted()
    } catch (error) {
      onProblems(problemsOf(error))
      isUnderWay.current = false
      setBusy(false)
    }
  }
  return { start, busy }
}

function problemsOf(error: unknown): FieldProblem[] {
  const byField = Object.entries(fieldErrors(error)).map(([path, message]) => ({ field: fieldOfPath(path), message }))
  if (byField.length > 0 && error instanceof ApiError) return byField
  return [{ field: 'new-start', message: sentenceOf(error) }]
}

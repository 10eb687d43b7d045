import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../data/errors.ts'
import type { EntityEntry, Forecast, Preflight } from '../../data/queries.ts'
import { plainly } from '../../finding-words.ts'
import { counted } from '../../format/number.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Counter } from '../../ui/counter.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { migrationWithin } from '../../words.ts'
import type { Draft } from './draft.ts'
import { busyWords, comparedWords } from './effects.ts'

interface Props {
  draft: Draft
  missing: { message: string } | undefined
  isKnown: boolean
  preflight: Pick<UseQueryResult<Preflight>, 'data' | 'error' | 'isFetching' | 'refetch'>
  entities: EntityEntry[]
  forecast: Forecast | undefined
}

/** What both stores say about these choices, before anything is started. */
export function Check({ draft, missing, isKnown, preflight, entities, forecast }: Props) {
  const { data, error, isFetching, refetch } = preflight
  const again = (
    <Button variant="secondary" busy={isFetching} onClick={() => refetch()}>
      Check again
    </Button>
  )
  return (
    <Panel id="new-check" title="4. Check" action={isKnown && again}>
      {missing && <p className="hint">{missing.message}</p>}
      {isKnown && error && <Notice tone="review">{sentenceOf(error)}</Notice>}
      {isKnown && forecast?.outlook && <Numbers outlook={forecast.outlook} strategy={draft.strategy} />}
      <div role="status">
        {isKnown && isFetching && !data && <p>Looking at both stores…</p>}
        {isKnown && data?.stops.length === 0 && (
          <Notice tone="done" isSilent>
            Nothing stands in the way.
          </Notice>
        )}
      </div>
      {isKnown && data && <Found data={data} draft={draft} />}
      {!missing && draft.scope !== 'templates' && <NeverCopied draft={draft} entities={entities} />}
    </Panel>
  )
}

function Found({ data, draft }: { data: Preflight; draft: Draft }) {
  const { stops, notCopied, goodToKnow, destinationBusy } = data
  return (
    <>
      {stops.length > 0 && (
        <Notice tone="stopped" title="Must be fixed first">
          <ul>
            {stops.map(({ code, side, message, remedy }) => (
              <li key={code + side}>
                <bdi>{plainly(message)}</bdi> {plainly(remedy)}{' '}
                {code === 'store_refused' && (
                  <Link to={paths.connectStore} search={{ hash: draft[side] }}>
                    Give a new token
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {destinationBusy && <Busy migration={destinationBusy} isTrial={draft.isTrial} />}
      <Findings title={`Not copied, and what to do instead (${notCopied.length})`} isOpen>
        {notCopied.map(findingLine)}
      </Findings>
      <Findings title={`Good to know: ${counted(goodToKnow.length, 'note')}`}>{goodToKnow.map(findingLine)}</Findings>
      <p className="hint">
        {draft.isTrial
          ? 'The trial run says exactly what would be new, changed, left alone and deleted.'
          : 'Only a trial run says exactly what would be new, changed, left alone and deleted.'}
      </p>
    </>
  )
}

function findingLine({ component, label, message, remedy }: Preflight['notCopied'][number]) {
  return (
    <li key={component + message}>
      <strong>{label}.</strong> <bdi>{plainly(message)}</bdi> <span>{plainly(remedy)}</span>
    </li>
  )
}

function Busy({ migration, isTrial }: { migration: NonNullable<Preflight['destinationBusy']>; isTrial: boolean }) {
  const { before, after } = busyWords(isTrial)
  return (
    <Notice tone="quiet">
      {before}{' '}
      <Link to="/app/migrations/$id" params={{ id: migration.requestId }}>
        <bdi>{migrationWithin(migration.label, 'full')}</bdi>
      </Link>{' '}
      {after}
    </Notice>
  )
}

/** How many items a copy would handle in each of the four ways. */
function Numbers({
  outlook: { created, compared, kept, deleted },
  strategy,
}: {
  outlook: NonNullable<Forecast['outlook']>
  strategy: Draft['strategy']
}) {
  return (
    <>
      <h3>What a copy would do, estimated</h3>
      <ul className="counters" aria-label="What a copy would do, estimated">
        <Counter label="new" value={created} />
        <Counter label={comparedWords(strategy)} value={compared} />
        <Counter label="left alone" value={kept} />
        <Counter label="deleted" value={deleted} mark="needs-review" />
      </ul>
      <p className="hint">
        Pictures, options and other parts count like whole items.
        {strategy !== 'skip' && ' Of those left alone, some may turn out to differ.'}
      </p>
    </>
  )
}

function Findings({ title, children, isOpen = false }: { title: string; children: ReactNode[]; isOpen?: boolean }) {
  if (children.length === 0) return null
  return (
    <details className="more" open={isOpen}>
      <summary>{title}</summary>
      <ul className="finding-list">{children}</ul>
    </details>
  )
}

/** What is never copied. It is true of every store, so it is collapsed at first. */
function NeverCopied({ draft, entities }: { draft: Draft; entities: EntityEntry[] }) {
  const chosen = draft.scope === 'items' ? draft.picks.map(({ entity }) => entity) : draft.kinds
  const covered = entities.filter(
    ({ key, optional, notMoved }) =>
      notMoved.length > 0 && !optional && (draft.scope === 'everything' || chosen.includes(key)),
  )
  const total = covered.reduce((sum, { notMoved }) => sum + notMoved.length, 0)
  if (total === 0) return null
  return (
    <details className="more">
      <summary>{`What no copy contains: ${counted(total, 'thing')}`}</summary>
      {covered.map(({ key, label, notMoved }) => (
        <div key={key}>
          <h3>{label}</h3>
          <ul className="finding-list">
            {notMoved.map(({ what, why }) => (
              <li key={what}>
                <strong>{plainly(what)}</strong>: {plainly(why)}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </details>
  )
}

import type { UseQueryResult } from '@tanstack/react-query'
import type { EntityEntry, Forecast } from '../../data/queries.ts'
import { counted, wholeNumber } from '../../format/number.ts'
import { aboutDuration } from '../../format/time.ts'
import { PartState } from '../part-state.tsx'
import type { Draft } from './draft.ts'
import { briefEffect, effectsOf } from './effects.ts'

interface Props {
  draft: Draft
  isKnown: boolean
  /** Whether the forecast is one of these choices; until it is there, the one before stays. */
  isOfThese: boolean
  forecast: Pick<UseQueryResult<Forecast>, 'data' | 'error' | 'isFetching' | 'refetch'>
  entities: EntityEntry[]
}

/** How many parts are listed, those with the most items. The rest are one line. */
const mostShown = 6

/** Beside the choices: how long the migration takes, how many items it has, and what it can do to the two shops. */
export function ForecastCard({ draft, isKnown, isOfThese, forecast, entities }: Props) {
  return (
    <aside className="panel forecast-card" aria-label="Forecast">
      <h2>Forecast</h2>
      <div role="status">
        {isKnown ? (
          <Time forecast={forecast} isOfThese={isOfThese} isTrial={draft.isTrial} />
        ) : (
          <p className="hint">Choose two stores and what to copy.</p>
        )}
      </div>
      {isKnown && forecast.data && <Parts forecast={forecast.data} entities={entities} />}
      <h3>What this can do</h3>
      <ul className="effects">
        {effectsOf(draft).map(({ mark, text }) => (
          <li key={text} className={mark === '×' ? 'weighs' : undefined}>
            <span aria-hidden="true">{mark}</span> {text}
          </li>
        ))}
      </ul>
    </aside>
  )
}

/** The same in one line, at the bottom of a narrow screen. */
export function ForecastBar({ draft, forecast }: { draft: Draft; forecast: Forecast | undefined }) {
  const time = forecast && forecast.basis !== 'fallback' ? `${aboutDuration(forecast.etaSeconds)} · ` : ''
  return (
    <p className="forecast-bar" aria-hidden="true">
      {time}
      {briefEffect(draft)}
    </p>
  )
}

function Time({ forecast, isOfThese, isTrial }: Pick<Props, 'forecast' | 'isOfThese'> & { isTrial: boolean }) {
  const { data, error, isFetching } = forecast
  if (error && !data) return <PartState query={forecast} />
  if (!data) return <p className="hint">{isFetching ? 'Working it out…' : ''}</p>
  if (data.basis === 'fallback') return <p className="hint">The stores could not be counted in time.</p>
  const items = partsOf(data).reduce((sum, [, count]) => sum + count, 0)
  const about = data.estimated.length > 0 ? 'about ' : ''
  return (
    <>
      <p className="forecast">{aboutDuration(data.etaSeconds)}</p>
      <p className="hint">
        {isOfThese
          ? `${isTrial ? 'for the trial run' : 'for the copy'}, ${about}${counted(items, 'item')}`
          : 'for your choices before. Working it out anew…'}
      </p>
      {isTrial && isOfThese && <p className="hint">A copy takes longer: choose Copy now to see how long.</p>}
    </>
  )
}

/** Not announced with the time: of a list, a screen reader would read all at every choice. */
function Parts({ forecast, entities }: { forecast: Forecast; entities: EntityEntry[] }) {
  if (forecast.basis === 'fallback') return null
  const labels = new Map(
    entities.flatMap(({ components }) => components.map(({ key, label }) => [key, label] as const)),
  )
  const parts = partsOf(forecast)
  const largest = parts.toSorted(([, one], [, other]) => other - one).slice(0, mostShown)
  return (
    <ul className="forecast-counts">
      {largest.map(([key, count]) => (
        <li key={key}>
          {labels.get(key) ?? key} <span>{wholeNumber(count)}</span>
        </li>
      ))}
      {parts.length > mostShown && <li>{`and ${counted(parts.length - mostShown, 'more part')}`}</li>}
    </ul>
  )
}

function partsOf({ counts }: Forecast): [string, number][] {
  return Object.entries(counts).filter(([, count]) => count > 0)
}

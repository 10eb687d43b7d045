import type { UseQueryResult } from '@tanstack/react-query'
import { sentenceOf } from '../../data/errors.ts'
import type { Forecast } from '../../data/queries.ts'
import { counted, wholeNumber } from '../../format/number.ts'
import { aboutDuration } from '../../format/time.ts'
import type { Draft } from './draft.ts'
import { effectsOf } from './effects.ts'

interface Props {
  draft: Draft
  isKnown: boolean
  forecast: Pick<UseQueryResult<Forecast>, 'data' | 'error' | 'isFetching'>
}

/** Beside the choices: how long, how much, and what it can do to the two shops. */
export function ForecastCard({ draft, isKnown, forecast }: Props) {
  return (
    <aside className="panel forecast-card" aria-label="Forecast">
      <h2>Forecast</h2>
      <div role="status">
        {isKnown ? (
          <Numbers forecast={forecast} isTrial={draft.isTrial} />
        ) : (
          <p className="hint">Choose two stores and what to copy.</p>
        )}
      </div>
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

function Numbers({ forecast: { data, error, isFetching }, isTrial }: Pick<Props, 'forecast'> & { isTrial: boolean }) {
  if (error) return <p className="field-problem">{sentenceOf(error)}</p>
  if (!data) return <p className="hint">{isFetching ? 'Working it out…' : ''}</p>
  if (data.basis === 'fallback') return <p className="hint">The stores could not be counted in time.</p>
  const { products, variants, categories, brands } = data
  return (
    <>
      <p className="forecast">{aboutDuration(data.etaSeconds)}</p>
      <p className="hint">{isTrial ? 'for the trial run' : 'for the copy'}</p>
      <ul className="forecast-counts">
        <li>{counted(products, 'product')}</li>
        <li>
          {data.estimated.length > 0 && 'about '}
          {counted(variants, 'variant')}
        </li>
        <li>{counted(categories, 'category', 'categories')}</li>
        <li>{counted(brands, 'brand')}</li>
        {data.destProducts !== undefined && data.destProducts > 0 && (
          <li>{`${wholeNumber(data.destProducts)} products are in the destination`}</li>
        )}
      </ul>
    </>
  )
}

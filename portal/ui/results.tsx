import { useState } from 'react'
import { counted } from '../format/number.ts'

interface Props {
  /** What was searched for to get the results. */
  shown: unknown
  /** How many there are; undefined while they are loaded. */
  count: number | undefined
  /** Whether there are others on the next page. */
  hasMore?: boolean
}

/**
 * Says to screen readers what another search or page has found. The first list is read with the screen, and one that
 * refreshes itself is not said.
 */
export function Results({ shown, count, hasMore = false }: Props) {
  const key = JSON.stringify(shown)
  const [said, setSaid] = useState({ key, text: '' })
  if (count !== undefined && said.key !== key) setSaid({ key, text: wordsOf(count, hasMore) })
  return (
    <p className="unseen" role="status">
      {/* Another element, so that the same words are said again. */}
      <span key={said.key}>{said.text}</span>
    </p>
  )
}

function wordsOf(count: number, hasMore: boolean): string {
  return count === 0 ? 'Nothing matches.' : `${counted(count, 'result')}${hasMore ? ', and more' : ''}.`
}

import { useSyncExternalStore } from 'react'
import { exactTime, relativeTime } from '../format/time.ts'

const minuteMs = 60_000

function everyMinute(notify: () => void): () => void {
  const timer = setInterval(notify, minuteMs)
  return () => clearInterval(timer)
}

/**
 * How long ago it was, or the date if more than a day, with the time if it is to come within one. The exact time with
 * its zone appears on hover and for screen readers.
 */
export function When({ at }: { at: string }) {
  // On a screen that stays open, what was just now does not stay so.
  useSyncExternalStore(everyMinute, () => Math.floor(Date.now() / minuteMs))
  const date = new Date(at)
  return (
    <time dateTime={at} title={exactTime(date)}>
      {relativeTime(date, new Date())}
    </time>
  )
}

import { useSyncExternalStore } from 'react'
import { exactTime, loggedTime, relativeTime } from '../format/time.ts'

const minuteMs = 60_000

function everyMinute(notify: () => void): () => void {
  const timer = setInterval(notify, minuteMs)
  return () => clearInterval(timer)
}

interface Props {
  at: string
  /** Whether it is in a log, where a date has its time, also on a phone, which shows nothing on hover. */
  isLogged?: boolean
}

/**
 * How long ago it was, or the date if more than a day, with the time if it is to come within one. The exact time with
 * its zone appears on hover and for screen readers.
 */
export function When({ at, isLogged = false }: Props) {
  // On a screen that stays open, what was just now does not stay so.
  useSyncExternalStore(everyMinute, () => Math.floor(Date.now() / minuteMs))
  const date = new Date(at)
  return (
    <time dateTime={at} title={exactTime(date)}>
      {(isLogged ? loggedTime : relativeTime)(date, new Date())}
    </time>
  )
}

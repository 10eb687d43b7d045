import { exactTime, relativeTime } from '../format/time.ts'

/**
 * How long ago it was, or the date if more than a day, with the time if it is to come within one. The exact time with
 * its zone appears on hover and for screen readers.
 */
export function When({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={exactTime(date)}>
      {relativeTime(date, new Date())}
    </time>
  )
}

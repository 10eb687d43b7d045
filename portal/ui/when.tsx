import { exactTime, relativeTime } from '../format/time.ts'

/** How long ago, or the date after a day; the exact time with its zone on hover and for screen readers. */
export function When({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={exactTime(date)}>
      {relativeTime(date, new Date())}
    </time>
  )
}

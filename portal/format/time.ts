const minute = 60
const hour = 60 * minute
const day = 24 * hour

const ago = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })
const date = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' })
const dateAndClock = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'long' })
const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

/**
 * "3 minutes ago" within a day, otherwise the date. What is to come within a day has its time, too: a link for half an
 * hour does not work until the end of the day. If a clock is slightly ahead, "just now".
 */
export function relativeTime(then: Date, now: Date, past = date): string {
  const seconds = (now.getTime() - then.getTime()) / 1000
  if (seconds < -day) return date.format(then)
  if (seconds < -minute) return dateAndClock.format(then)
  if (seconds < minute) return 'just now'
  if (seconds < hour) return ago.format(-Math.floor(seconds / minute), 'minute')
  if (seconds < day) return ago.format(-Math.floor(seconds / hour), 'hour')
  return past.format(then)
}

/** The same for a log, where the order of what was done on a day matters: a date has its time. */
export function loggedTime(then: Date, now: Date): string {
  return relativeTime(then, now, dateAndClock)
}

export function exactTime(then: Date): string {
  return exact.format(then)
}

/** A time that has passed; of another day, it has its date. */
export function pastTime(then: Date, now: Date): string {
  return date.format(then) === date.format(now) ? clock.format(then) : dateAndClock.format(then)
}

/** A time to come; in more than a day, it is not clear of which one. */
export function comingTime(then: Date, now: Date): string {
  return then.getTime() - now.getTime() < day * 1000 ? clock.format(then) : dateAndClock.format(then)
}

/** How long something took. */
export function tookDuration(seconds: number): string {
  if (seconds < 1) return 'under a second'
  return seconds < 90 ? `${Math.round(seconds)} s` : aboutDuration(seconds)
}

/** Rounded as a person would say it: to minutes, or to half hours above three hours. */
export function aboutDuration(seconds: number): string {
  if (seconds < 90) return 'about a minute'
  const minutes = Math.round(seconds / minute)
  if (minutes < 60) return `about ${minutes} min`
  if (seconds < 3 * hour) return `about ${Math.floor(minutes / 60)} h ${minutes % 60} min`
  const halves = Math.round(seconds / (hour / 2))
  return `about ${halves / 2} hours`
}

/** As a date input returns it. */
export const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/** In the person's time zone. */
export function dayStart(day: string, daysLater: number): string | undefined {
  const at = new Date(`${day}T00:00:00`)
  at.setDate(at.getDate() + daysLater)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

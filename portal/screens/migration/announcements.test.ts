import { expect, test } from 'vitest'
import { nextAnnouncement, unannounced } from './announcements.ts'

type Facts = Parameters<typeof nextAnnouncement>[1]
type Control = Parameters<typeof nextAnnouncement>[2]['asked']

interface Event {
  /** Time since the page was opened. */
  seconds: number
  percent?: number
  step?: string
  failures?: number
  status?: Facts['status']
  asked?: Control
  line?: string
}

const idle = { asked: 'none' } as const

function factsOf({ percent = 5, step = 'brands', failures = 0, status = 'in_progress', line }: Omit<Event, 'seconds'>) {
  const progress = { phase: step, percent } as Facts['progress']
  return { status, progress, failuresOpen: failures, summaryLine: line ?? `Copying, ${percent}% done.` }
}

/** What a screen reader says for these events, each with the second at which it does. */
function heard(events: Event[]): string[] {
  const said: string[] = []
  let last = unannounced(factsOf({}), idle, 0)
  for (const { seconds, asked = 'none', ...facts } of events) {
    const next = nextAnnouncement(last, factsOf(facts), { asked }, seconds * 1000)
    if (next !== last) said.push(`${seconds}: ${next.text}`)
    last = next
  }
  return said
}

test('a page that was just opened announces nothing, as the reader reads it', () => {
  expect(unannounced(factsOf({}), idle, 0).text).toBe('')
  expect(heard([{ seconds: 0 }, { seconds: 40 }])).toEqual([])
})

test('progress is announced every ten percent, and not each percent between', () => {
  const events = [31, 62, 93, 124, 155].map((seconds, at) => ({ seconds, percent: [9, 10, 15, 19, 23][at] ?? 0 }))
  expect(heard(events)).toEqual(['62: Copying, 10% done.', '155: Copying, 23% done.'])
})

test('progress is announced at most every thirty seconds, and what was passed over is said then', () => {
  const events = Array.from({ length: 70 }, (_, second) => ({ seconds: second, percent: second + 5 }))
  expect(heard(events)).toEqual(['30: Copying, 35% done.', '60: Copying, 65% done.'])
})

test('a step and the first failure are announced, further failures with the next progress', () => {
  expect(
    heard([
      { seconds: 31, step: 'products' },
      { seconds: 62, step: 'products', failures: 1, line: 'Copying, 5% done; 1 item needs review.' },
      { seconds: 93, step: 'products', failures: 2, line: 'Copying, 5% done; 2 items need review.' },
    ]),
  ).toEqual(['31: Copying, 5% done.', '62: Copying, 5% done; 1 item needs review.'])
})

test('what a person waits for is announced at once: what was asked for, each status and the end', () => {
  const stopped = { status: 'failed', line: 'Stopped: the token is refused. Copied 4 brands.' } as const
  expect(
    heard([
      { seconds: 1, asked: 'pause' },
      { seconds: 2, status: 'paused', asked: 'pause', line: 'Paused at 5%.' },
      { seconds: 3, status: 'paused', line: 'Paused at 5%.' },
      { seconds: 4, status: 'queued', line: 'Waiting to start.' },
      { seconds: 5 },
      { seconds: 6, asked: 'cancel' },
      { seconds: 7, ...stopped },
      { seconds: 8, ...stopped },
    ]),
  ).toEqual([
    '1: Pausing after the present item.',
    '2: Paused at 5%.',
    '4: Waiting to start.',
    '5: Copying, 5% done.',
    '6: Canceling after the present item.',
    '7: Stopped: the token is refused. Copied 4 brands.',
  ])
})

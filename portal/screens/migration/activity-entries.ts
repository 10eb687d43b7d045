import type { TimelineEvent } from '../../data/findings.ts'
import type { Migration } from '../../data/queries.ts'
import { eventWord } from '../../finding-words.ts'
import { tookDuration } from '../../format/time.ts'

export interface ActivityEntry {
  key: string
  at: string
  what: string
  by: string | null
  /** How long a finished step took; null for any other entry. */
  took: string | null
}

/** Entries from newest to oldest. A finished step is one entry, with the time it took. */
export function entriesOf(events: TimelineEvent[], { phases }: Pick<Migration, 'phases'>): ActivityEntry[] {
  const labelOf = (step: string) => phases.find(({ key }) => key === step)?.label ?? step
  const ended = new Set(events.filter(({ event }) => event === 'phase_finished').map(({ phase }) => phase))
  const begun = new Map(events.filter(({ event }) => event === 'phase_started').map(({ phase, at }) => [phase, at]))
  return events
    .filter(({ event, phase }) => event !== 'phase_started' || !ended.has(phase))
    .map(({ at, event, phase, by }, index) => {
      const words = eventWord(event)
      const since = event === 'phase_finished' ? begun.get(phase) : undefined
      return {
        key: `${index} ${event}`,
        at,
        by,
        what: phase === null ? words : `${words} ${labelOf(phase).toLowerCase()}`,
        took: since === undefined ? null : tookDuration((new Date(at).getTime() - new Date(since).getTime()) / 1000),
      }
    })
    .reverse()
}

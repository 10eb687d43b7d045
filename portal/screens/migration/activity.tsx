import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type TimelineEvent, timelineQuery } from '../../data/findings.ts'
import { type Migration, migrationQuery } from '../../data/queries.ts'
import { eventWords } from '../../finding-words.ts'
import { aboutDuration } from '../../format/time.ts'
import { Panel } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'

const route = getRouteApi('/app/migrations/$id/activity')

interface Entry {
  key: string
  at: string
  what: string
  by: string | null
  note: string | null
}

const columns: Column<Entry>[] = [
  { key: 'what', header: 'What', narrow: 'title', cell: ({ what }) => what },
  { key: 'by', header: 'Who', cell: ({ by }) => (by === null ? '–' : <bdi>{by}</bdi>) },
  { key: 'note', header: 'How long', cell: ({ note }) => note ?? '–' },
  { key: 'at', header: 'When', cell: ({ at }) => <When at={at} /> },
]

/** What happened to a migration and who asked for it, newest first. */
export function Activity() {
  const { id } = route.useParams()
  const { data: migration } = useSuspenseQuery(migrationQuery(id))
  const { data } = useSuspenseQuery(timelineQuery(id))
  return (
    <Panel flush>
      <Table
        caption="Activity, newest first"
        columns={columns}
        rows={entriesOf(data.events, migration)}
        rowKey={({ key }) => key}
        empty={null}
      />
    </Panel>
  )
}

/** A step that has finished is one entry, with the time it took. */
export function entriesOf(events: TimelineEvent[], { phases }: Pick<Migration, 'phases'>): Entry[] {
  const labelOf = (step: string) => phases.find(({ key }) => key === step)?.label ?? step
  const finished = new Map(events.filter(({ event }) => event === 'phase_finished').map((one) => [one.phase, one]))
  const begun = new Map(events.filter(({ event }) => event === 'phase_started').map((one) => [one.phase, one]))
  return events
    .filter(({ event, phase }) => event !== 'phase_started' || !finished.has(phase))
    .map(({ at, event, phase, by }, place) => {
      const words = eventWords[event] ?? event
      const since = event === 'phase_finished' ? begun.get(phase)?.at : undefined
      return {
        key: `${place} ${event}`,
        at,
        by,
        what: phase === null ? words : `${words} ${labelOf(phase).toLowerCase()}`,
        note: since === undefined ? null : aboutDuration((new Date(at).getTime() - new Date(since).getTime()) / 1000),
      }
    })
    .reverse()
}

import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Capacity as Answer, capacityQuery } from '../../data/queries.ts'
import { wholeNumber } from '../../format/number.ts'
import { paths } from '../../paths.ts'
import { Counter } from '../../ui/counter.tsx'
import { Meter } from '../../ui/meter.tsx'
import { EmptyNote, Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Screen } from '../../ui/screen.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { migrationName, tierWords, waitingWords } from '../../words.ts'
import { storesOf } from '../migrations.tsx'

type Host = Answer['hosts'][number]
type Waiting = Answer['waiting'][number]

const noHost = (
  <EmptyNote title="No host works on migrations">
    They wait until one is started: storeferry start, or storeferry worker.
  </EmptyNote>
)
const nothingIsWaiting = <EmptyNote title="Nothing is waiting" />

const hostColumns: Column<Host>[] = [
  { key: 'name', header: 'Host', narrow: 'title', cell: ({ name }) => <bdi>{name}</bdi> },
  {
    key: 'runs',
    header: 'Migrations',
    cell: ({ name, runs, maxRuns }) => <Meter label={`Migrations of ${name}`} used={runs} of={maxRuns} />,
  },
  {
    key: 'memory',
    header: 'Memory',
    cell: ({ name, runMemoryMiB, memoryMiB }) => (
      <Meter label={`Memory of ${name}`} used={runMemoryMiB} of={memoryMiB} unit=" MiB" />
    ),
  },
  { key: 'seen', header: 'Last sign of life', cell: ({ lastSeenAt }) => <When at={lastSeenAt} /> },
]

const waitingColumns: Column<Waiting>[] = [
  { key: 'label', header: 'Migration', narrow: 'title', cell: nameOf },
  { key: 'organization', header: 'Organization', cell: ({ organisation }) => <bdi>{organisation.name}</bdi> },
  { key: 'stores', header: 'From and to', narrow: 'plain', cell: storesOf },
  { key: 'tier', header: 'Size', cell: ({ tier }) => tierWords[tier] },
  { key: 'why', header: 'Waits because', narrow: 'plain', cell: ({ why }) => waitingWords[why] },
  { key: 'since', header: 'Since', cell: ({ since }) => <When at={since} /> },
]

function nameOf({ requestId, label, mode }: Waiting) {
  return (
    <Link to={paths.anyMigration} params={{ id: requestId }}>
      <bdi>{migrationName(label, mode)}</bdi>
    </Link>
  )
}

/** Which migrations wait for what, and where there is room. Refreshes while it is open. */
export function Capacity() {
  const { data } = useSuspenseQuery(capacityQuery())
  const { hosts, unplaced, waiting } = data
  const queued = sumOf(data.queued)
  return (
    <Screen title="Capacity" lead="What is running on all hosts, and what is waiting. Refreshed every 5 seconds.">
      <section className="panel" aria-label="At a glance">
        <ul className="counters" aria-label="Migrations">
          <Counter value={sumOf(data.inProgress)} label="running" />
          <Counter value={roomOf(hosts)} label="free places" />
          <Counter value={queued} label="waiting" />
          <Counter value={sumOf(data.paused)} label="paused" />
          <Counter value={unplaced} label="without a host" mark="alarming" />
        </ul>
        {unplaced > 0 && (
          <Notice tone="stopped" title="Some migrations are without a host">
            Their host has gone. Another one with room takes them over and continues where they were.
          </Notice>
        )}
      </section>
      <Panel title="Hosts" flush>
        <Table caption="Hosts" columns={hostColumns} rows={hosts} rowKey={({ name }) => name} empty={noHost} />
      </Panel>
      <Panel title="Waiting" flush>
        <Table
          caption="Waiting migrations, in the order of their requests"
          columns={waitingColumns}
          rows={waiting}
          rowKey={({ requestId }) => requestId}
          empty={nothingIsWaiting}
        />
        {waiting.length < queued && (
          <p className="quiet-line">{`The first ${wholeNumber(waiting.length)} are shown.`}</p>
        )}
      </Panel>
    </Screen>
  )
}

function sumOf(tiers: { runs: number }[]): number {
  return tiers.reduce((sum, { runs }) => sum + runs, 0)
}

function roomOf(hosts: Host[]): number {
  return hosts.reduce((sum, { maxRuns, runs }) => sum + Math.max(0, maxRuns - runs), 0)
}

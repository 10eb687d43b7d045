import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type HistoryEntry, type Migration, type MigrationRequest, migrationsQuery } from '../data/queries.ts'
import { counted } from '../format/number.ts'
import { Notice } from '../ui/notice.tsx'
import { When } from '../ui/when.tsx'
import { migrationWithin } from '../words.ts'

type Waiting = NonNullable<MigrationRequest['waiting']>

const systemWords: Record<Waiting['system'], string> = {
  source: 'the store it copies from',
  destination: 'the store it copies to',
  database: 'the database',
  quota: 'a store that allows no more calls now',
}

/** For a running migration that can do nothing at the moment. */
export function WaitsFor({ system, since }: Pick<Waiting, 'system' | 'since'>) {
  return (
    <Notice tone="review" title={`It waits for ${systemWords[system]}`}>
      Since <When at={since} />. It goes on by itself.
    </Notice>
  )
}

type Queue = NonNullable<MigrationRequest['queue']>

const queueWords: Record<Queue['why'], string> = {
  pricing: 'How long it takes is worked out first, which takes a few seconds.',
  starting: 'Its turn has come. It goes on within seconds.',
  source_written: 'Another migration writes to the store it copies from.',
  destination_used: 'Another migration uses the store it copies to.',
  organisation_limit: 'Your organization has as many migrations under way as it may have at once.',
  tier_limit: 'As many migrations of its size are under way as this service runs at once.',
  no_host: 'This service has no place for migrations at the moment. If that lasts, ask the people who run it.',
  no_room: 'All places for migrations of its size are taken.',
  lost_host: 'A migration that was interrupted goes first.',
}

/** For a migration whose turn has not come. */
export function InQueue({ migration, why, before }: Queue & { migration: Migration }) {
  const other = useOther(migration, why)
  return (
    <Notice tone="quiet" title="Why it waits">
      {queueWords[why]}{' '}
      {other && (
        <>
          It is{' '}
          <Link to="/app/migrations/$id" params={{ id: other.requestId }}>
            <bdi>{migrationWithin(other.label, other.mode)}</bdi>
          </Link>
          .{' '}
        </>
      )}
      {before > 0 &&
        `${counted(before, 'migration')} of your organization ${before === 1 ? 'was' : 'were'} asked for before. `}
      {why !== 'starting' && 'It starts by itself when its turn comes.'}
    </Notice>
  )
}

/** The migration of this organization that uses the store it waits for. It may be one of another organization. */
function useOther({ source, destination }: Migration, why: Queue['why']): HistoryEntry | undefined {
  const isHeld = why === 'source_written' || why === 'destination_used'
  const { hash } = why === 'source_written' ? source : destination
  const { data } = useQuery({
    ...migrationsQuery({ store: hash, status: ['in_progress'], limit: 50 }),
    enabled: isHeld,
  })
  const writes = (one: HistoryEntry) => one.mode === 'full' && one.destination.hash === hash
  const uses = (one: HistoryEntry) => writes(one) || one.source.hash === hash
  return isHeld ? data?.items.find(why === 'source_written' ? writes : uses) : undefined
}

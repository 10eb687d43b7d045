import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { isLive } from '../../../src/contract/status.ts'
import { whyNotStart } from '../../allowed.ts'
import { type Migration, type MigrationRequest, migrationQuery, requestQuery } from '../../data/queries.ts'
import { plainly } from '../../finding-words.ts'
import { wholePercent } from '../../format/number.ts'
import { paths } from '../../paths.ts'
import { useAsker } from '../../session.tsx'
import { StatusBadge } from '../../ui/badge.tsx'
import { LinkOrReason } from '../../ui/link-or-reason.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { GivenReasons } from '../../ui/reasons.tsx'
import { Screen } from '../../ui/screen.tsx'
import { isOfUse, migrationName, modeWords, statusWord } from '../../words.ts'
import { storesOf } from '../migrations.tsx'
import { InQueue, WaitsFor } from '../waits-for.tsx'
import { controlUnderWay } from './announcements.ts'
import { Announcer } from './announcer.tsx'
import { Controls, useWhyNot } from './controls.tsx'
import { Counters } from './counters.tsx'
import { DeletionWaits } from './deletion-waits.tsx'
import { isRetry } from './parts.ts'
import { remainingTime } from './remaining-time.ts'
import { Tabs } from './tabs.tsx'
import { useLiveMigration } from './use-live-migration.ts'

const route = getRouteApi('/app/migrations/$id')

/** Each migration is a new screen: its title gets the focus, and nothing about the previous one is announced. */
export function MigrationPage() {
  const { id } = route.useParams()
  return <OneMigration key={id} id={id} />
}

function OneMigration({ id }: { id: string }) {
  const { data: migration } = useSuspenseQuery(migrationQuery(id))
  const { data: request } = useSuspenseQuery(requestQuery(id))
  useLiveMigration(migration)
  const { status, mode } = migration
  const title = migrationName(request.label, mode)
  const { off, whys } = useWhyNot(migration, request)
  return (
    <GivenReasons value={whys.all}>
      <Screen
        title={title}
        mark={<StatusBadge status={status} mode={mode} isRetry={isRetry(migration)} />}
        crumbs={[{ label: 'Migrations', to: paths.migrations }]}
        action={!isLive(status) && <Again migration={migration} />}
        lead={
          <>
            {modeWords[mode]}
            {migration.selective && ', picked items'}
            {migration.sourceStorefront !== null && ', one storefront'}: {storesOf(migration)}
          </>
        }
      >
        <Controls migration={migration} request={request} off={off} whys={whys} />
        <Announcer migration={migration} request={request} />
        <DeletionWaits migration={migration} request={request} />
        <ProgressPanel migration={migration} request={request} />
        <Tabs migration={migration} />
        <Outlet />
      </Screen>
    </GivenReasons>
  )
}

/** After the end: starts again with the same choices, and after a trial run for real. */
function Again({ migration }: { migration: Migration }) {
  const { mode, requestId } = migration
  const isTried = mode === 'dry-run' && isOfUse(migration)
  const offBecause = whyNotStart(useAsker())
  if (mode !== 'full' && mode !== 'dry-run') return null
  return (
    <LinkOrReason to={paths.newMigration} search={{ from: requestId }} isSecondary={!isTried} offBecause={offBecause}>
      {isTried ? 'Now copy for real' : 'Run again'}
    </LinkOrReason>
  )
}

/** The progress: one sentence, the bar, the remaining time, and the numbers. */
function ProgressPanel({ migration, request }: { migration: Migration; request: MigrationRequest }) {
  const { status, mode, progress, summaryLine } = migration
  const asked = controlUnderWay(migration, request)
  const times = request.waiting ? [] : remainingTime(migration, new Date())
  return (
    <section className="panel" aria-label="Progress">
      <p className="summary">
        <bdi>{summaryLine}</bdi>
        {asked !== undefined && <span> {asked}</span>}
      </p>
      {request.failure && (
        <Notice tone="stopped" title="What stopped it" isSilent>
          <bdi>{plainly(request.failure.message)}</bdi>
        </Notice>
      )}
      {request.waiting && <WaitsFor {...request.waiting} />}
      {request.queue && <InQueue migration={migration} {...request.queue} />}
      <div className="bar-line">
        <ProgressBar
          label={statusWord(status, mode, isRetry(migration))}
          percent={progress.percent}
          isDone={status === 'completed'}
        />
        <span>{wholePercent(progress.percent)}</span>
      </div>
      {times.length > 0 && (
        <p className="times">
          {times.map((time) => (
            <span key={time}>{time}</span>
          ))}
        </p>
      )}
      <Counters migration={migration} plan={request.plan} hasLists />
    </section>
  )
}

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { whyNotCancelAny } from '../../allowed.ts'
import { Confirm } from '../../confirm.tsx'
import { administration } from '../../data/administration.ts'
import { changedMeanwhile } from '../../data/errors.ts'
import { type AnyMigration as Answer, anyMigrationQuery } from '../../data/queries.ts'
import { plainly } from '../../finding-words.ts'
import { wholePercent } from '../../format/number.ts'
import { useOnline } from '../../online.ts'
import { paths } from '../../paths.ts'
import { StatusBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Fact } from '../../ui/fact.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { useWhys } from '../../ui/reasons.tsx'
import { Screen } from '../../ui/screen.tsx'
import { When } from '../../ui/when.tsx'
import {
  cancelMeanings,
  keepWords,
  migrationName,
  migrationWithin,
  modeWords,
  statusWord,
  waitingWords,
} from '../../words.ts'
import { Counters } from '../migration/counters.tsx'
import { Steps } from '../migration/overview.tsx'
import { isRetry } from '../migration/parts.ts'
import { storesOf } from '../migrations.tsx'
import { WaitsFor } from '../waits-for.tsx'

const route = getRouteApi('/admin/migrations/$id')

/** One migration of any organization. Each read is audited, so it does not refresh by itself. */
export function AnyMigration() {
  const { id } = route.useParams()
  const { data, refetch, isFetching } = useSuspenseQuery(anyMigrationQuery(id))
  const { migration, organisation } = data
  const { status, mode } = migration
  return (
    <Screen
      title={migrationName(data.label, mode)}
      mark={<StatusBadge status={status} mode={mode} isRetry={isRetry(migration)} />}
      crumbs={[{ label: 'Migrations', to: paths.allMigrations }]}
      lead={
        <>
          {modeWords[mode]}: {storesOf(migration)}
        </>
      }
      action={
        <Button variant="secondary" busy={isFetching} onClick={refetch}>
          Look again
        </Button>
      }
    >
      <Notice tone="quiet">
        Your look is recorded, and the owners of{' '}
        <Link to={paths.organization} params={{ id: organisation.id }}>
          <bdi>{organisation.name}</bdi>
        </Link>{' '}
        see it in their audit. Items and their names are not shown here.
      </Notice>
      <CancelControl data={data} />
      <Progress data={data} />
      <div className="columns">
        <Panel title="Steps" flush>
          <Steps migration={migration} plan={null} />
        </Panel>
        <div className="stack">
          <About data={data} />
        </div>
      </div>
    </Screen>
  )
}

function CancelControl({ data: { label, migration, asked } }: { data: Answer }) {
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { requestId, status } = migration
  const offBecause = whyNotCancelAny({ status, requested: asked, isOnline: useOnline() })
  const { idOf, notes } = useWhys([offBecause])
  async function cancel() {
    const refused = await administration.cancel(requestId).then(
      () => undefined,
      (error: unknown) => changedMeanwhile(error) ?? error,
    )
    await queries.invalidateQueries({ queryKey: ['admin'] })
    if (refused !== undefined) throw refused
  }
  return (
    <section aria-label="Controls" className="controls">
      <Button
        variant="secondary"
        actionType="destructive"
        offBecause={idOf(offBecause)}
        onClick={() => setAsking(true)}
      >
        Cancel migration
      </Button>
      {notes}
      {isAsking && (
        <Confirm
          title={`Cancel ${migrationWithin(label, migration.mode, 'this')}?`}
          confirm="Cancel migration"
          keep={keepWords(status)}
          destructive
          onConfirm={cancel}
          onClose={() => setAsking(false)}
        >
          <p>{cancelMeanings[migration.mode]}</p>
          <p>The organization sees in its audit that an administrator canceled it.</p>
        </Confirm>
      )}
    </section>
  )
}

function Progress({ data: { migration, failure, waiting, queue } }: { data: Answer }) {
  const { status, mode, progress, summaryLine } = migration
  return (
    <section className="panel" aria-label="Progress">
      <p className="summary">
        <bdi>{summaryLine}</bdi>
      </p>
      {failure && (
        <Notice tone="stopped" title="What stopped it">
          <bdi>{plainly(failure.message)}</bdi>
        </Notice>
      )}
      {waiting && <WaitsFor {...waiting} />}
      {queue && (
        <Notice tone="quiet" title="Why it waits">
          {waitingWords[queue.why]} <Link to={paths.capacity}>Capacity</Link>
        </Notice>
      )}
      <div className="bar-line">
        <ProgressBar
          label={statusWord(status, mode, isRetry(migration))}
          percent={progress.percent}
          isDone={status === 'completed'}
        />
        <span>{wholePercent(progress.percent)}</span>
      </div>
      <Counters migration={migration} plan={null} />
    </section>
  )
}

function About({ data: { organisation, createdBy, migration } }: { data: Answer }) {
  const { timestamps, requestId } = migration
  return (
    <Panel title="About">
      <dl className="facts">
        <Fact term="Organization">
          <bdi>{organisation.name}</bdi>
        </Fact>
        <Fact term="Created">
          <When at={timestamps.created} />
        </Fact>
        {createdBy && (
          <Fact term="By">
            <bdi>{createdBy.name}</bdi>
          </Fact>
        )}
        <Fact term="Last change">
          <When at={timestamps.updated} />
        </Fact>
        <Fact term="Id">
          <code>{requestId}</code>
        </Fact>
      </dl>
    </Panel>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isLive } from '../../../src/contract/status.ts'
import { differenceCountsQuery } from '../../data/findings.ts'
import type { Migration, MigrationRequest } from '../../data/queries.ts'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { isOfUse } from '../../words.ts'
import { PartState } from '../part-state.tsx'
import { toRepair } from './difference-filters.ts'
import { verdictOf } from './verdict.ts'

interface Props {
  migration: Migration
  request: MigrationRequest
}

/** For a copy that has ended, or its comparison: whether the copy is right, and what to do next. */
export function IsItRight({ migration, request }: Props) {
  const { mode, status, requestId } = migration
  const { comparison, verifies } = request
  if (mode === 'verify' && isOfUse(migration))
    return (
      <Answer comparison={requestId}>
        <DifferencesLink id={requestId} as="li" />
        {verifies !== null && (
          <>
            <li>
              <Link to="/app/migrations/$id" params={{ id: verifies }}>
                Open the copy
              </Link>
            </li>
            <li>
              <ReportLink id={verifies} />
            </li>
          </>
        )}
      </Answer>
    )
  if (mode !== 'full' || isLive(status)) return null
  if (comparison === null)
    return (
      <Panel title="Is the copy right?">
        <p>Not compared yet. Compare, above, reads both stores field by field and changes nothing.</p>
      </Panel>
    )
  return (
    <Answer comparison={comparison.requestId} isOutdated={!comparison.isCurrent}>
      <DifferencesLink id={comparison.requestId} as="li" />
      <li>
        <ReportLink id={requestId} />
      </li>
    </Answer>
  )
}

/** For a copy that is not right. */
const next =
  'In the comparison, copy what differs one item at a time, and accept what is right as it is. Or run the copy again with “Add and update”. Then compare again.'

interface AnswerProps {
  comparison: string
  isOutdated?: boolean
  /** Items of a list of links. */
  children: React.ReactNode
}

function Answer({ comparison, isOutdated = false, children }: AnswerProps) {
  return (
    <Panel title="Is the copy right?">
      <Verdict id={comparison} next={isOutdated ? undefined : next} />
      {isOutdated && <p>The copy went on after this comparison. Compare again.</p>}
      <ul className="plain-list">{children}</ul>
    </Panel>
  )
}

/** Renders nothing if the comparison found nothing. */
export function DifferencesLink({ id, as: Place }: { id: string; as: 'li' | 'p' }) {
  const { data, isPending } = useQuery(differenceCountsQuery(id))
  if (isPending || data?.counts.length === 0) return null
  const isOnlyOwn = data?.counts.every(({ count, living }) => count === living)
  return (
    <Place>
      <Link to="/app/migrations/$id/differences" params={{ id }} search={isOnlyOwn ? {} : toRepair}>
        Show what differs
      </Link>
    </Place>
  )
}

function ReportLink({ id }: { id: string }) {
  return (
    <Link to="/app/migrations/$id/report" params={{ id }}>
      Report and sign-off
    </Link>
  )
}

interface VerdictProps {
  id: string
  /** What to do if the copy is not right. */
  next?: string | undefined
}

/** Says in one sentence whether the copy is right. */
export function Verdict({ id, next }: VerdictProps) {
  const counts = useQuery(differenceCountsQuery(id))
  const { data, error } = counts
  if (!data) return error && <PartState query={counts} />
  const { isRight, sentence } = verdictOf(data)
  return (
    <>
      <Notice tone={isRight ? 'done' : 'review'}>{sentence}</Notice>
      {!isRight && data.compared > 0 && next !== undefined && <p>{next}</p>}
    </>
  )
}

import { Link, type LinkProps } from '@tanstack/react-router'
import type { Migration, MigrationRequest } from '../../data/queries.ts'
import { counted } from '../../format/number.ts'
import { Counter } from '../../ui/counter.tsx'
import { counterWords } from '../../words.ts'
import { toRepair } from './difference-filters.ts'

type Phase = Migration['phases'][number]
type Counted = 'created' | 'updated' | 'matched' | 'skipped' | 'pruned' | 'failed' | 'total'

interface Count {
  label: string
  value: number
  isReview?: boolean
  /** The list of what was counted. */
  list?: Pick<LinkProps, 'to' | 'search'>
}

/** The numbers of a migration, in the words of its mode. */
function countersOf({ mode, phases, failuresOpen }: Migration, plan: MigrationRequest['plan']): Count[] {
  const sum = (key: Counted) => phases.reduce((total, phase: Phase) => total + phase[key], 0)
  const words = counterWords[mode]
  const toReview =
    mode === 'dry-run'
      ? { label: 'would need review', value: Math.max(sum('failed'), failuresOpen) }
      : { label: failuresOpen === 1 ? 'needs review' : 'need review', value: failuresOpen }
  const review: Count = { ...toReview, isReview: true, list: reviewList(mode) }
  if (mode === 'counts') return [{ label: 'counted', value: sum('total') }]
  if (mode === 'verify')
    return [
      { label: words.matched, value: sum('matched') },
      { label: words.skipped, value: sum('skipped'), list: reviewList(mode) },
      review,
    ]
  return [
    { label: words.copied, value: sum('created'), list: listOf(mode, 'new') },
    { label: words.updated, value: sum('updated'), list: listOf(mode, 'changed') },
    { label: words.matched, value: sum('matched') },
    { label: words.skipped, value: sum('skipped') },
    ...(isUnplanned(mode, plan)
      ? []
      : [
          {
            label: words.deleted,
            value: plan ? Object.values(plan.pruned).reduce((a, b) => a + b, 0) : sum('pruned'),
            list: listOf(mode, 'deleted'),
          },
        ]),
    review,
  ]
}

/** Whether it is not known how much a copy would delete: a trial run has that in its plan, and only when it is done. */
export function isUnplanned(mode: Migration['mode'], plan: MigrationRequest['plan']): boolean {
  return mode === 'dry-run' && plan === null
}

/** What a comparison finds to review is not an issue but a difference. */
function reviewList(mode: Migration['mode']): Count['list'] {
  return mode === 'verify'
    ? { to: '/app/migrations/$id/differences', search: toRepair }
    : { to: '/app/migrations/$id/issues' }
}

const foundAs = { new: 'missing', changed: 'different', deleted: 'extra' } as const

/** A trial run lists what a copy would do, a copy what it did. */
function listOf(mode: Migration['mode'], show: keyof typeof foundAs): Count['list'] {
  return mode === 'dry-run'
    ? { to: '/app/migrations/$id/differences', search: { kind: foundAs[show] } }
    : { to: '/app/migrations/$id/changes', search: { show } }
}

interface Props {
  migration: Migration
  plan: MigrationRequest['plan']
  /** Whether the person can open the lists. */
  hasLists?: boolean
}

export function Counters({ migration, plan, hasLists = false }: Props) {
  return (
    <>
      <ul className="counters" aria-label="Items">
        {countersOf(migration, plan).map(({ label, value, isReview = false, list }) => (
          <Counter
            key={label}
            label={
              hasLists && list && value > 0 ? (
                <Link {...list} params={{ id: migration.requestId }}>
                  {label}
                </Link>
              ) : (
                label
              )
            }
            value={value}
            mark={isReview ? 'needs-review' : undefined}
          />
        ))}
      </ul>
      <AlsoKnown migration={migration} hasLists={hasLists} />
    </>
  )
}

/** In a sentence of its own: among the numbers it would look like a number of errors. */
function AlsoKnown({ migration: { requestId, counters }, hasLists }: Required<Omit<Props, 'plan'>>) {
  if (counters.warnings === 0) return null
  const words = `${counted(counters.warnings, 'thing')} that ${counters.warnings === 1 ? 'is' : 'are'} good to know`
  return (
    <p className="hint also-known">
      Also{' '}
      {hasLists ? (
        <Link to="/app/migrations/$id/issues" params={{ id: requestId }} search={{ show: 'known' }}>
          {words}
        </Link>
      ) : (
        words
      )}
      .
    </p>
  )
}

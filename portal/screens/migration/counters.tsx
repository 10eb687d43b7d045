import type { Migration, MigrationRequest } from '../../data/queries.ts'
import { Counter } from '../../ui/counter.tsx'
import { counterWords } from '../../words.ts'

type Phase = Migration['phases'][number]
type Counted = 'created' | 'updated' | 'matched' | 'skipped' | 'pruned' | 'failed' | 'total'

interface Count {
  label: string
  value: number
  isReview?: boolean
}

/** The numbers of a migration in its own words. */
function countersOf({ mode, phases, failuresOpen, counters }: Migration, plan: MigrationRequest['plan']): Count[] {
  const sum = (key: Counted) => phases.reduce((total, phase: Phase) => total + phase[key], 0)
  const words = counterWords[mode]
  const review =
    mode === 'dry-run'
      ? { label: 'would need review', value: Math.max(sum('failed'), failuresOpen), isReview: true }
      : { label: failuresOpen === 1 ? 'needs review' : 'need review', value: failuresOpen, isReview: true }
  const known = { label: 'good to know', value: counters.warnings }
  if (mode === 'counts') return [{ label: 'counted', value: sum('total') }, known]
  if (mode === 'verify') return [{ label: words.matched, value: sum('matched') }, review, known]
  return [
    { label: words.copied, value: sum('created') },
    { label: words.updated, value: sum('updated') },
    { label: words.matched, value: sum('matched') },
    { label: words.skipped, value: sum('skipped') },
    { label: words.deleted, value: plan ? Object.values(plan.pruned).reduce((a, b) => a + b, 0) : sum('pruned') },
    review,
    known,
  ]
}

export function Counters({ migration, plan }: { migration: Migration; plan: MigrationRequest['plan'] }) {
  return (
    <ul className="counters" aria-label="Items">
      {countersOf(migration, plan).map(({ label, value, isReview = false }) => (
        <Counter key={label} label={label} value={value} mark={isReview ? 'needs-review' : undefined} />
      ))}
    </ul>
  )
}

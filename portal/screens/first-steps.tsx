import { useSuspenseQueries } from '@tanstack/react-query'
import { isLive } from '../../src/contract/status.ts'
import { whyNotStart, whyNotStore } from '../allowed.ts'
import { firstStepQueries, type HistoryEntry, type StoreEntry } from '../data/queries.ts'
import { paths } from '../paths.ts'
import { useAsker } from '../session.tsx'
import { Badge } from '../ui/badge.tsx'
import { LinkOrReason } from '../ui/link-or-reason.tsx'
import { Panel } from '../ui/panel.tsx'
import { isOfUse, modeNouns } from '../words.ts'

interface Step {
  title: string
  meaning: string
  isDone: boolean
  /** The badge of a step that is over without having been done; absent: "Done". */
  passed?: string | undefined
  /** Where to do it. */
  action: { words: string; to: string; search?: Record<string, string> }
  offBecause: string | undefined
  /** The migration that is doing it now. */
  underWay?: HistoryEntry | undefined
}

interface Props {
  stores: StoreEntry[]
  latest: HistoryEntry[]
}

/** The steps to a first compared copy. Disappears once there is one. */
export function FirstSteps({ stores, latest }: Props) {
  const asker = useAsker()
  const lists = useSuspenseQueries({ queries: firstStepQueries() }).map(({ data }) => data.items)
  const [trials, copies, comparisons] = lists.map((items) => items.find(isOfUse))
  const [trying, copying, comparing] = lists.map((items) => items.find(({ status }) => isLive(status)))
  if (copies && comparisons) return null
  const connect = whyNotStore('add-store', asker)
  const start = whyNotStart(asker) ?? (stores.length < 2 ? 'Connect two stores first.' : undefined)
  const isTried = [trials, copies, copying].some((one) => one !== undefined)
  const compare = copies ? `${paths.migrations}/${copies.requestId}` : paths.migrations
  const steps: Step[] = [
    {
      title: 'Connect the store you copy from',
      meaning: 'Storeferry only reads it.',
      isDone: stores.length > 0,
      action: { words: 'Connect a store', to: paths.connectStore, search: { purpose: 'from' } },
      offBecause: connect,
    },
    {
      title: 'Connect the store you copy to',
      meaning: 'It is changed only by a migration that you start.',
      isDone: stores.length > 1,
      action: { words: 'Connect a store', to: paths.connectStore, search: { purpose: 'to' } },
      offBecause: connect,
    },
    {
      title: 'Make a trial run',
      meaning: 'It says item by item what a copy would do, and changes nothing.',
      isDone: isTried,
      passed: trials ? undefined : trying ? 'Under way' : 'Skipped',
      action: { words: 'New migration', to: paths.newMigration },
      offBecause: start,
      underWay: trying,
    },
    {
      title: 'Copy',
      meaning: 'You can pause it at any time.',
      isDone: copies !== undefined,
      action: trials
        ? { words: 'Now copy for real', to: paths.newMigration, search: { from: trials.requestId } }
        : { words: 'New migration', to: paths.newMigration },
      offBecause: start,
      underWay: copying,
    },
    {
      title: 'Compare the two stores',
      meaning: 'It proves that the copy is right.',
      isDone: comparisons !== undefined,
      action: { words: 'Open the copy', to: compare },
      offBecause: copies ? undefined : 'Copy first.',
      underWay: comparing,
    },
  ]
  const next = steps.findIndex(({ isDone }) => !isDone)
  return (
    <Panel title={latest.length === 0 ? 'Your first migration' : 'Next steps'}>
      <ol className="first-steps">
        {steps.map((step, at) => (
          <li key={step.title} aria-current={at === next ? 'step' : undefined}>
            <div>
              <strong>{step.title}</strong>
              <p className="hint">{step.meaning}</p>
            </div>
            <StepAction step={step} isNext={at === next} />
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function StepAction({ step, isNext }: { step: Step; isNext: boolean }) {
  const { isDone, passed, action, offBecause, underWay } = step
  if (isDone && passed !== undefined) return <Badge tone="quiet">{passed}</Badge>
  if (isDone) return <Badge tone="done">Done</Badge>
  if (!isNext) return null
  // If the step were offered again, it would look as if nothing had started.
  if (underWay)
    return (
      <LinkOrReason to={`${paths.migrations}/${underWay.requestId}`} isSecondary offBecause={undefined}>
        Follow the {modeNouns[underWay.mode]}
      </LinkOrReason>
    )
  const { words, ...link } = action
  return (
    <LinkOrReason {...link} offBecause={offBecause}>
      {words}
    </LinkOrReason>
  )
}

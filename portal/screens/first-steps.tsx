import { useSuspenseQueries } from '@tanstack/react-query'
import { firstStepQueries, type HistoryEntry, type StoreEntry } from '../data/queries.ts'
import { paths } from '../paths.ts'
import { useAsker } from '../session.tsx'
import { Badge } from '../ui/badge.tsx'
import { LinkOrReason } from '../ui/link-or-reason.tsx'
import { Panel } from '../ui/panel.tsx'
import { modeNouns } from '../words.ts'
import { firstSteps, type Step } from './next-steps.ts'

interface Props {
  stores: StoreEntry[]
  latest: HistoryEntry[]
}

/** The steps to a first compared copy. Disappears once there is one. */
export function FirstSteps({ stores, latest }: Props) {
  const lists = useSuspenseQueries({ queries: firstStepQueries() }).map(({ data }) => data.items)
  const steps = firstSteps({ stores: stores.length, lists }, useAsker())
  if (steps.length === 0) return null
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

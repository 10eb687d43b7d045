import { CheckCircleIcon, CircleDashedIcon, ErrorIcon, RefreshIcon, WarningIcon } from '@bigcommerce/big-design-icons'
import type { ReactNode } from 'react'
import type { Mode } from '../../src/contract/modes.ts'
import type { MigrationStatus } from '../../src/contract/status.ts'
import { statusTones, statusWord, type Tone } from '../words.ts'

const icons: Record<Tone, ReactNode> = {
  running: <RefreshIcon size="medium" />,
  done: <CheckCircleIcon size="medium" />,
  review: <WarningIcon size="medium" />,
  stopped: <ErrorIcon size="medium" />,
  quiet: <CircleDashedIcon size="medium" />,
}

/** An icon, a word and a color, so that a person needs to see only one of them. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`badge ${tone}`}>
      {icons[tone]}
      {children}
    </span>
  )
}

interface StatusProps {
  status: MigrationStatus
  mode: Mode
  isRetry?: boolean
}

export function StatusBadge({ status, mode, isRetry }: StatusProps) {
  return <Badge tone={statusTones[status]}>{statusWord(status, mode, isRetry)}</Badge>
}

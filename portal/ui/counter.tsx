import type { ReactNode } from 'react'
import { wholeNumber } from '../format/number.ts'

interface Props {
  label: ReactNode
  value: number
  /** How it stands out if it is not 0. */
  mark?: 'needs-review' | 'alarming' | undefined
}

/** One number in a list of `counters`. */
export function Counter({ label, value, mark }: Props) {
  return (
    <li className={value > 0 ? mark : undefined}>
      <strong>{wholeNumber(value)}</strong> {label}
    </li>
  )
}

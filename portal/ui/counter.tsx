import type { ReactNode } from 'react'
import { wholeNumber } from '../format/number.ts'

interface Props {
  label: ReactNode
  value: number
  /** How it stands out once it is not 0. */
  mark?: 'needs-review' | 'alarming' | undefined
}

/** A number of a list of `counters`. */
export function Counter({ label, value, mark }: Props) {
  return (
    <li className={value > 0 ? mark : undefined}>
      <strong>{wholeNumber(value)}</strong> {label}
    </li>
  )
}

import { wholeNumber } from '../format/number.ts'

/** A number in a table. On a narrow screen, zeros are left out. */
export function Amount({ value }: { value: number }) {
  return <span className={value === 0 ? 'zero' : undefined}>{wholeNumber(value)}</span>
}

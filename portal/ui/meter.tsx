import { wholeNumber } from '../format/number.ts'

interface Props {
  label: string
  used: number
  of: number
  unit?: string
}

/** How much of something is used, as a bar with its numbers. */
export function Meter({ label, used, of, unit = '' }: Props) {
  return (
    <div className="meter">
      <meter aria-label={label} min={0} max={of} value={used} />
      <span>{`${wholeNumber(used)} of ${wholeNumber(of)}${unit}`}</span>
    </div>
  )
}

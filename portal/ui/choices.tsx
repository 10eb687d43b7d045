import { type ReactNode, useId } from 'react'
import { useWhys } from './reasons.tsx'

interface Option<Value extends string> {
  value: Value
  words: string
  meaning?: ReactNode
}

interface RadioGroupProps<Value extends string> {
  legend: string
  /** Set if a title nearby already names the group. */
  isLegendHidden?: boolean
  value: Value
  options: Option<Value>[]
  onChange: (value: Value) => void
}

/** A choice of one among a few, each with its meaning. */
export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { legend, isLegendHidden = false, value, options, onChange } = props
  const name = useId()
  return (
    <fieldset className="choices">
      <legend className={isLegendHidden ? 'unseen' : undefined}>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="choice-card">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            // Otherwise its name would have the meaning in it, which would be read twice.
            aria-labelledby={`${name}-${option.value}-words`}
            aria-describedby={option.meaning === undefined ? undefined : `${name}-${option.value}`}
          />
          <span>
            <strong id={`${name}-${option.value}-words`}>{option.words}</strong>
            {option.meaning !== undefined && <small id={`${name}-${option.value}`}>{option.meaning}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

interface CheckboxProps {
  label: ReactNode
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  meaning?: ReactNode
  /** Why it cannot be changed. Displayed instead of the meaning, unless the screen says it elsewhere. */
  offBecause?: string | undefined
}

/** A yes-or-no choice. If disabled, it stays focusable and says why. */
export function Checkbox({ label, isChecked, onChange, meaning, offBecause }: CheckboxProps) {
  const id = useId()
  const {
    idOf,
    own: [why],
  } = useWhys([offBecause])
  const note = why?.reason ?? meaning
  const noteId = why?.id ?? `${id}-note`
  return (
    <div className="checkbox">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        aria-disabled={offBecause !== undefined}
        aria-describedby={idOf(offBecause) ?? (note === undefined ? undefined : noteId)}
        onChange={({ currentTarget }) => {
          if (offBecause === undefined) onChange(currentTarget.checked)
        }}
      />
      <label htmlFor={id}>{label}</label>
      {note !== undefined && <small id={noteId}>{note}</small>}
    </div>
  )
}

import { Input } from '@bigcommerce/big-design'
import { SearchIcon } from '@bigcommerce/big-design-icons'
import { type HTMLInputTypeAttribute, useEffect, useId, useState } from 'react'
import { limits } from '../../src/contract/primitives/limits.ts'
import { wholeNumber } from '../format/number.ts'

interface TextFieldProps {
  /** For links of an error summary. Absent: generated. */
  id?: string
  label: string
  value: string
  onChange: (value: string) => void
  type?: HTMLInputTypeAttribute
  problem?: string | undefined
  hint?: string
  autoComplete?: string
  maxLength?: number
}

export function TextField(props: TextFieldProps) {
  const { label, value, onChange, problem, hint, autoComplete = 'off', id: given, ...rest } = props
  const made = useId()
  const id = given ?? made
  const note = problem ?? hint
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Input
        {...rest}
        id={id}
        value={value}
        autoComplete={autoComplete}
        aria-invalid={problem !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {note !== undefined && (
        <p id={`${id}-note`} className={problem === undefined ? 'hint' : 'field-problem'}>
          {note}
        </p>
      )}
    </div>
  )
}

/** Reports what was typed once the person pauses, and shows it meanwhile, whatever the list does. */
function useTyped(value: string, onChange: (typed: string) => void) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return
    const pause = setTimeout(() => onChange(typed), 300)
    return () => clearTimeout(pause)
  }, [typed, value, onChange])
  return [typed, setTyped] as const
}

export function SearchField({
  label,
  value,
  maxLength = limits.textLength,
  onChange,
}: {
  label: string
  value: string
  /** The service takes no more. */
  maxLength?: number
  onChange: (value: string) => void
}) {
  const [typed, setTyped] = useTyped(value, onChange)
  return (
    <div className="search">
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        iconLeft={<SearchIcon />}
        value={typed}
        maxLength={maxLength}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </div>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  value: Value | undefined
  words: Partial<Record<Value, string>>
  /**
   * How many rows each value would show, beside its words; a value without a count has none. The field then keeps its
   * width, whatever the counts are.
   */
  counts?: ReadonlyMap<string, number> | undefined
  /** The words for no choice. */
  none?: string
  onChange: (value: Value | undefined) => void
}

/** The browser's own list, which works on every phone and with every screen reader. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, words, none = 'All', onChange } = props
  // The keys of the words are the values, and the options below contain nothing else.
  const values = Object.keys(words) as Value[]
  return (
    <label className={'counts' in props ? 'choice with-counts' : 'choice'}>
      <span>{label}</span>
      <select
        value={value ?? ''}
        onChange={({ currentTarget }) => onChange(values.find((each) => each === currentTarget.value))}
      >
        <option value="">{none}</option>
        {values.map((each) => (
          <option key={each} value={each}>
            {words[each]}
            {props.counts && ` (${wholeNumber(props.counts.get(each) ?? 0)})`}
          </option>
        ))}
      </select>
    </label>
  )
}

interface DateFieldProps {
  label: string
  /** As in the address: 2026-11-25. */
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** The browser's own date field, which speaks the person's language. */
export function DateField({ label, value, onChange }: DateFieldProps) {
  const [typed, setTyped] = useTyped(value ?? '', (day) => {
    // Of a year, the browser reports each digit, after zeros.
    if (!day.startsWith('0')) onChange(day || undefined)
  })
  return (
    <label className="choice">
      <span>{label}</span>
      <input type="date" value={typed} onChange={({ currentTarget }) => setTyped(currentTarget.value)} />
    </label>
  )
}

interface SelectProps {
  id?: string
  label: string
  value: string
  /** Values with their words. If the first value is empty, it means that nothing is chosen. */
  options: { value: string; words: string }[]
  onChange: (value: string) => void
  problem?: string | undefined
}

/** A list from which the person has to choose. */
export function Select({ id: given, label, value, options, onChange, problem }: SelectProps) {
  const made = useId()
  const id = given ?? made
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="select"
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-note`}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {options.map((one) => (
          <option key={one.value} value={one.value}>
            {one.words}
          </option>
        ))}
      </select>
      {problem !== undefined && (
        <p id={`${id}-note`} className="field-problem">
          {problem}
        </p>
      )}
    </div>
  )
}

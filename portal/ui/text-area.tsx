import { useId } from 'react'

interface Props {
  label: string
  value: string
  onChange: (value: string) => void
  hint?: string
  problem?: string | undefined
  maxLength: number
}

/** For a few lines in a person's own words, or a list that is pasted. */
export function TextArea({ label, value, onChange, hint, problem, maxLength }: Props) {
  const id = useId()
  const note = problem ?? hint
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="text-area"
        rows={3}
        value={value}
        maxLength={maxLength}
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

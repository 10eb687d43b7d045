import { useId } from 'react'

interface Props {
  label: string
  value: string
  onChange: (value: string) => void
  hint?: string
  maxLength: number
}

/** For a few lines in a person's own words. */
export function TextArea({ label, value, onChange, hint, maxLength }: Props) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="text-area"
        rows={3}
        value={value}
        maxLength={maxLength}
        aria-describedby={hint === undefined ? undefined : `${id}-note`}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {hint !== undefined && (
        <p id={`${id}-note`} className="hint">
          {hint}
        </p>
      )}
    </div>
  )
}

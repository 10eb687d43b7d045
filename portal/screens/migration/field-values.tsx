import { useState } from 'react'
import { fieldName } from '../../format/field-name.ts'
import { type Stretch, wordDiff } from '../../format/word-diff.ts'

/** Longer texts are cut until the person expands them. */
const mostShown = 200
/** How much is left, on either side of a change, of a long stretch that both texts have. */
const around = 80

interface Field {
  path: string
  /** One value, or one for each store with its name. */
  values: { label?: string; value: unknown }[]
}

/** A field that differs. Of personal data, only its name leaves the service. */
export function ofBothStores({
  path,
  source = null,
  destination = null,
}: {
  path: string
  source?: unknown
  destination?: unknown
}): Field {
  if (source === null && destination === null) return { path, values: [{ value: 'differs (not shown)' }] }
  return {
    path,
    values: [
      { label: 'Source', value: source },
      { label: 'Destination', value: destination },
    ],
  }
}

export function FieldValues({ fields }: { fields: Field[] }) {
  return (
    <dl className="field-values">
      {fields.map(({ path, values }) => (
        <div key={path}>
          <dt>{fieldName(path)}</dt>
          {values.map(({ label = '', value }) => (
            <dd key={label}>
              {label && `${label}: `}
              <Value value={value} />
            </dd>
          ))}
          <ByWords values={values} />
        </div>
      ))}
    </dl>
  )
}

/** How two long texts differ. Computed when opened, because a list may have hundreds of them. */
function ByWords({ values: [one, other, ...rest] }: Pick<Field, 'values'>) {
  const [isOpen, setIsOpen] = useState(false)
  if (typeof one?.value !== 'string' || typeof other?.value !== 'string' || rest.length > 0) return null
  if (Math.max(one.value.length, other.value.length) <= mostShown) return null
  return (
    <dd>
      <details className="word-diff" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>Compare word by word</summary>
        <p className="hint">
          <del>Only in {one.label?.toLowerCase()}</del>, <ins>only in {other.label?.toLowerCase()}</ins>
        </p>
        <bdi>{isOpen && wordDiff(one.value, other.value).map(marked)}</bdi>
      </details>
    </dd>
  )
}

function marked({ kind, text }: Stretch, at: number) {
  const key = `${at} ${kind}`
  if (kind === 'removed') return <del key={key}>{text}</del>
  if (kind === 'added') return <ins key={key}>{text}</ins>
  return <span key={key}>{text.length > mostShown ? `${text.slice(0, around)} … ${text.slice(-around)}` : text}</span>
}

function Value({ value }: { value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length <= mostShown) return <bdi>{text}</bdi>
  return (
    <details className="long-value">
      <summary>
        <bdi>{text.slice(0, mostShown)}…</bdi> <span className="show-all">Show all</span>
      </summary>
      <bdi>{text}</bdi>
    </details>
  )
}

import { fieldName } from '../../format/field-name.ts'

/** Longer texts are cut until a person asks for all. */
const mostShown = 200

interface Field {
  path: string
  /** One, or one of each store with its name. */
  values: { label?: string; value: unknown }[]
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
        </div>
      ))}
    </dl>
  )
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

import { useSuspenseQuery } from '@tanstack/react-query'
import type { TokenScope } from '../../data/queries.ts'
import { entitiesQuery } from '../../data/store-queries.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { type Column, Table } from '../../ui/table.tsx'

const columns: Column<TokenScope>[] = [
  { key: 'name', header: 'Scope', narrow: 'title', cell: ({ name }) => name },
  {
    key: 'for',
    header: 'For',
    narrow: 'plain',
    cell: (scope) => (scope.for.length > 0 ? scope.for.join(', ') : 'Every copy'),
  },
]

/** The scopes that the API account needs. Generated from the registry, so that they match what is copied. */
export function ScopeList({ purpose }: { purpose: 'from' | 'to' }) {
  const { data } = useSuspenseQuery(entitiesQuery())
  const level = purpose === 'from' ? 'read-only' : 'modify'
  const text = data.scopes.map(({ name }) => `${name}: ${level}`).join('\n')
  return (
    <>
      <p>
        In the control panel of the store: <strong>Settings → Store-level API accounts → Create API account</strong>.
        Give it these scopes as <strong>{level}</strong>, save, and keep the window open: it shows the API path and the
        token once.
      </p>
      <p>
        {purpose === 'from'
          ? 'Storeferry only reads a source; with read-only rights it could not do otherwise.'
          : 'Missing scopes are listed below. Whether the account may write is only known after the first write.'}
      </p>
      <details className="scopes">
        <summary>{`The ${data.scopes.length} scopes`}</summary>
        <Table
          caption={`Scopes of the API account, all ${level}`}
          columns={columns}
          rows={data.scopes}
          rowKey={({ write }) => write}
          empty={null}
        />
      </details>
      <div className="dialog-actions">
        <CopyButton text={text} label="Copy the list of scopes" words="Copy the list" />
      </div>
    </>
  )
}

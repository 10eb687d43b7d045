import type { AuditEntry } from '../data/queries.ts'
import { EmptyNote } from '../ui/notice.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { When } from '../ui/when.tsx'
import { actionWords, roleWords } from '../words.ts'

const empty = <EmptyNote title="Nothing was done yet" />

const when: Column<AuditEntry> = { key: 'at', header: 'When', cell: ({ at }) => <When at={at} /> }
const what: Column<AuditEntry> = { key: 'what', header: 'What', narrow: 'title', cell: sentenceOf }
const organization: Column<AuditEntry> = {
  key: 'organization',
  header: 'Organization',
  cell: ({ organisation }) => (organisation ? <bdi>{organisation.name}</bdi> : '–'),
}

function sentenceOf({ user, actor, action, details }: AuditEntry) {
  return (
    <>
      <strong>
        <bdi>{user?.name ?? actorWords[actor]}</bdi>
      </strong>{' '}
      {actionWords[action] ?? action}
      <small>
        <bdi>{detailsOf(details)}</bdi>
      </small>
      {user && (
        <small>
          <bdi>{user.email}</bdi>
        </small>
      )}
    </>
  )
}

const actorWords: Record<AuditEntry['actor'], string> = {
  user: 'A former member',
  administrator: 'An administrator',
  'command line': 'The command line',
  visitor: 'Someone',
}

/** What a person recognizes; ids stay in the API. */
function detailsOf({ name, label, hash, version, role, reason, address }: AuditEntry['details']): string {
  const parts = [
    text(label) ?? text(name),
    text(hash) && `store ${hash}`,
    typeof version === 'number' && `version ${version}`,
    text(reason),
    text(address) && `from ${address}`,
    // A role that is not in the table has no word to show.
    role !== undefined && Object.entries(roleWords).find(([key]) => key === role)?.[1],
  ]
  return parts.filter(Boolean).join(', ')
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

interface Props {
  rows: readonly AuditEntry[]
  isOfAll?: boolean
}

export function AuditTable({ rows, isOfAll = false }: Props) {
  return (
    <Table
      caption="What was done, newest first"
      columns={isOfAll ? [what, organization, when] : [what, when]}
      rows={rows}
      rowKey={({ id }) => id}
      empty={empty}
    />
  )
}

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AuditEntry } from '../data/queries.ts'
import { paths } from '../paths.ts'
import { EmptyNote } from '../ui/notice.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { When } from '../ui/when.tsx'
import { actionWords, roleWords } from '../words.ts'

const nothingYet = <EmptyNote title="Nothing was done yet" />

const when: Column<AuditEntry> = { key: 'at', header: 'When', cell: ({ at }) => <When at={at} isLogged /> }
const what = (personOf: (entry: AuditEntry) => ReactNode): Column<AuditEntry> => ({
  key: 'what',
  header: 'What',
  narrow: 'title',
  cell: (entry) => sentenceOf(entry, personOf(entry)),
})
const organization: Column<AuditEntry> = {
  key: 'organization',
  header: 'Organization',
  cell: ({ organisation }) => (organisation ? <bdi>{organisation.name}</bdi> : '–'),
}

function personIn({ user, actor }: AuditEntry) {
  return <bdi>{user?.name ?? actorWords[actor]}</bdi>
}

/** Leads to what else the person did, in any organization. */
function linkedPersonIn(entry: AuditEntry) {
  const { user } = entry
  if (!user) return personIn(entry)
  return (
    <Link
      to={paths.allAudit}
      search={(search) => ({ ...search, user: user.id, cursor: undefined })}
      aria-label={`Only what ${user.name} (${user.email}) did`}
    >
      {personIn(entry)}
    </Link>
  )
}

function sentenceOf({ user, action, details }: AuditEntry, person: ReactNode) {
  return (
    <>
      <strong>{person}</strong> {wordsOf(action)}
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

/** There are no words for an action that is newer than this page. */
function wordsOf(action: string): string {
  return (actionWords as Record<string, string>)[action] ?? action
}

/** Only details that a person recognizes; ids are left to the API. */
function detailsOf({ name, label, hash, version, role, from, to, reason, address }: AuditEntry['details']): string {
  const parts = [
    text(label) ?? text(name),
    text(hash) && `store ${hash}`,
    typeof version === 'number' && `version ${version}`,
    roleOf(role),
    text(from) && text(to) && `${roleOf(from) ?? from} → ${roleOf(to) ?? to}`,
    text(reason),
    text(address) && `from ${address}`,
  ]
  return parts.filter(Boolean).join(', ')
}

function roleOf(value: unknown): string | undefined {
  return Object.entries(roleWords).find(([role]) => role === value)?.[1]
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

interface Props {
  rows: readonly AuditEntry[]
  isOfAll?: boolean
  /** Displayed if no entry matches the filters. */
  empty?: ReactNode
}

export function AuditTable({ rows, isOfAll = false, empty = nothingYet }: Props) {
  return (
    <Table
      caption="What was done, newest first"
      columns={isOfAll ? [what(linkedPersonIn), organization, when] : [what(personIn), when]}
      rows={rows}
      rowKey={({ id }) => id}
      empty={empty}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { problemOf } from '../../data/errors.ts'
import { type ItemHistory, type ItemQuery, issueQuery, itemHistoryQuery } from '../../data/findings.ts'
import type { Issue, Migration, MigrationRequest } from '../../data/queries.ts'
import { causeWords, messageOf, remedyOf, ruleWords } from '../../finding-words.ts'
import { counted } from '../../format/number.ts'
import { AddressedDialog, CloseAction } from '../../ui/dialog.tsx'
import { Fact } from '../../ui/fact.tsx'
import { When } from '../../ui/when.tsx'
import { PartState } from '../part-state.tsx'
import { IssueActions } from './issue-actions.tsx'
import { isOfKind, itemName } from './issue-shelves.ts'
import { partLabel } from './parts.ts'
import { ReopenAction } from './reopen-action.tsx'

interface Props {
  issueId: string
  migration: Migration
  request: MigrationRequest
  onClose: () => void
}

/** One issue in full, beside the list. */
export function IssueDrawer({ issueId, migration, request, onClose }: Props) {
  const query = useQuery(issueQuery(migration.requestId, issueId))
  const { data: issue, error } = query
  const nameOf = (one: Issue) => itemName(one, partLabel(migration, one.component))
  return (
    <AddressedDialog
      title={issue ? nameOf(issue) : error ? problemOf(error).title : 'Issue'}
      isDrawer
      onClose={onClose}
    >
      {issue ? <Whole issue={issue} migration={migration} request={request} /> : <PartState query={query} />}
      <CloseAction />
    </AddressedDialog>
  )
}

function Whole({ issue, migration, request }: Pick<Props, 'migration' | 'request'> & { issue: Issue }) {
  const { state, severity, item, id, reason } = issue
  const name = itemName(issue, partLabel(migration, issue.component))
  return (
    <>
      <p className="hint">
        {causeWords[issue.code]}, {partLabel(migration, issue.component)}
      </p>
      <Section title="What happened">
        <p>
          <bdi>{messageOf(issue)}</bdi>
        </p>
      </Section>
      <Section title="What to do">
        <p>{remedyOf(issue)}</p>
        <p>
          <a href={helpOf(issue)} target="_blank" rel="noreferrer">
            More about this
          </a>
        </p>
        {severity === 'failure' && state === 'open' && (
          <IssueActions migration={migration} request={request} choice={{ ids: [id] }} what={name} count={1} />
        )}
        {reason !== null && (
          <p>
            Accepted as it is: <bdi>{reason}</bdi>
          </p>
        )}
        {severity === 'failure' && state === 'dismissed' && (
          <ReopenAction migration={migration} choice={{ ids: [id] }} what={name} count={1} />
        )}
      </Section>
      <Section title="Where">
        <Where issue={issue} migration={migration} />
      </Section>
      {issue.platform && (
        <Section title="What BigCommerce said">
          <Said platform={issue.platform} />
        </Section>
      )}
      <Section title="History">
        <History issue={issue} />
      </Section>
      {item.sourceId !== '' && <Elsewhere issue={issue} migration={migration} />}
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="drawer-section">
      <h3>{title}</h3>
      {children}
    </section>
  )
}

/** The help page at this address, even if the service is configured with another one. */
function helpOf({ url }: Issue): string {
  return new URL(url).pathname
}

function controlPanelOf(hash: string): string {
  return `https://store-${encodeURIComponent(hash)}.mybigcommerce.com/manage`
}

function Where({ issue, migration: { source, destination } }: { issue: Issue; migration: Migration }) {
  const { item, destinationId, severity, state } = issue
  // Of what was copied with a warning, the id may be unknown.
  const isMissing = severity === 'failure' && state === 'open'
  return (
    <dl className="facts">
      <Fact term="Copied from">
        <a href={controlPanelOf(source.hash)} target="_blank" rel="noreferrer">
          <bdi>{source.label}</bdi>
        </a>
        {!isOfKind(issue) && (
          <>
            , id <code>{item.sourceId}</code>
          </>
        )}
        {item.path !== null && (
          <>
            , <bdi>{item.path}</bdi>
          </>
        )}
      </Fact>
      <Fact term="Copied to">
        <a href={controlPanelOf(destination.hash)} target="_blank" rel="noreferrer">
          <bdi>{destination.label}</bdi>
        </a>
        {destinationId === null ? (
          isMissing && ', not there'
        ) : (
          <>
            , id <code>{destinationId}</code>
          </>
        )}
      </Fact>
    </dl>
  )
}

function Said({ platform: { method, path, status, title, errors } }: { platform: NonNullable<Issue['platform']> }) {
  return (
    <>
      <p>
        <code>
          {method} {path}
        </code>{' '}
        {status === 0 ? 'gave no answer.' : `answered ${status}.`} <bdi>{title}</bdi>
      </p>
      <ul className="finding-list">
        {Object.entries(errors).map(([field, words]) => (
          <li key={field}>
            <code>{field}</code> <bdi>{words}</bdi>
          </li>
        ))}
      </ul>
    </>
  )
}

function History({ issue: { attempts, firstAt, lastAt, rule, state } }: { issue: Issue }) {
  const helped = rule === null ? undefined : ruleWords[rule]
  return (
    <p>
      {attempts === 1 ? (
        <>
          1 attempt, <When at={firstAt} />.
        </>
      ) : (
        <>
          {counted(attempts, 'attempt')}, the first <When at={firstAt} />, the last <When at={lastAt} />.
        </>
      )}{' '}
      {helped !== undefined && `${state === 'healed' ? 'What helped' : 'Tried'}: ${helped}`}
    </p>
  )
}

type ItemEvent = ItemHistory['events'][number]

const happened: Record<Exclude<ItemEvent['event'], 'written'>, string> = {
  issue: 'Issue',
  difference: 'Differed in a comparison',
  overwritten: 'Changed in the destination',
  deleted: 'Deleted from the destination',
}

/** Words for each outcome. An item that failed has an issue of its own. */
const written: Record<string, string> = {
  created: 'Copied',
  updated: 'Updated',
  matched: 'Already the same',
  skipped: 'Left alone',
}

function wordOf({ event, what }: ItemEvent): string | undefined {
  return event === 'written' ? written[what] : happened[event]
}

/** What other migrations recorded about the same item. Renders nothing if there is nothing. */
function Elsewhere({ issue, migration }: { issue: Issue; migration: Migration }) {
  // Issues and the history use the same names of components.
  const component = issue.component as ItemQuery['component']
  const { data } = useQuery(
    itemHistoryQuery({ component, sourceId: issue.item.sourceId, source: migration.source.hash }),
  )
  const events = (data?.events ?? [])
    .filter((one) => one.runId !== migration.requestId && wordOf(one) !== undefined)
    .slice(0, 10)
  if (events.length === 0) return null
  return (
    <Section title="In other migrations">
      <ul className="plain-list">
        {events.map((one) => (
          <li key={`${one.runId} ${one.at} ${one.event}`}>
            <Link to="/app/migrations/$id" params={{ id: one.runId }}>
              {wordOf(one)}
            </Link>{' '}
            <When at={one.at} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

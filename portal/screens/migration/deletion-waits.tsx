import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNot, whyNotDelete } from '../../allowed.ts'
import { Confirm } from '../../confirm.tsx'
import { deletionCountsQuery, deletionsQuery } from '../../data/findings.ts'
import { resumeMigration } from '../../data/migration-actions.ts'
import type { Migration, MigrationRequest } from '../../data/queries.ts'
import { DownloadButton } from '../../download-button.tsx'
import { counted } from '../../format/number.ts'
import { useAsker } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/field.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Panel } from '../../ui/panel.tsx'
import { NamedReasons, useWhys } from '../../ui/reasons.tsx'
import { Table } from '../../ui/table.tsx'
import { PartState } from '../part-state.tsx'
import { deletionColumns } from './deletion-columns.tsx'
import { useControl } from './use-control.ts'

const shown = 20

interface Props {
  migration: Migration
  request: MigrationRequest
}

/** On every tab of a migration that is paused before a deletion: which items it would delete, and who may decide. */
export function DeletionWaits({ migration, request }: Props) {
  const { prune } = request
  if (prune === null) return null
  const { label } = migration.destination
  return (
    <Panel title="A deletion waits" tone="stopped" flush>
      <p className="panel-text">
        Paused before deleting {counted(prune.items, 'item')} from <bdi>{label}</bdi>.{' '}
        {prune.items === 1 ? 'It has not' : 'None of them has'} been deleted.
      </p>
      <Planned id={migration.requestId} digest={prune.confirmPrune} />
      <Decision migration={migration} request={request} prune={prune} />
    </Panel>
  )
}

/** The list that a confirmation applies to, page by page. */
function Planned({ id, digest }: { id: string; digest: string }) {
  const [component, setComponent] = useState<string>()
  const [cursor, setCursor] = useState<string>()
  const counts = useQuery(deletionCountsQuery(id, digest))
  const list = useQuery(deletionsQuery(id, { state: 'planned', component, cursor, limit: shown }, digest))
  if (!list.data) return <PartState query={list}>Loading the list…</PartState>
  const parts = (counts.data?.parts ?? []).filter(({ planned }) => planned > 0)
  return (
    <>
      <div className="filters">
        {parts.length > 1 && (
          <Choice
            label="Part"
            words={Object.fromEntries(parts.map((part) => [part.component, part.label]))}
            counts={new Map(parts.map((part) => [part.component, part.planned]))}
            value={component}
            onChange={(next) => {
              setCursor(undefined)
              setComponent(next)
            }}
          />
        )}
        <DownloadButton
          label="Download the list"
          path={`/v2/migrations/${id}/deletions.csv`}
          query={{ state: 'planned' }}
        />
      </div>
      <Table
        caption="Items that would be deleted"
        columns={deletionColumns}
        rows={list.data.items}
        rowKey={(row) => row.id}
        empty={<p className="quiet-line">Nothing of this part.</p>}
      />
      <Pager next={list.data.nextCursor} isFirst={cursor === undefined} onTurn={setCursor} order="name" />
    </>
  )
}

function Decision({ migration, request, prune }: Props & { prune: NonNullable<MigrationRequest['prune']> }) {
  const { requestId, destination, status, mode } = migration
  const asker = useAsker()
  const control = useControl(requestId)
  const [question, setQuestion] = useState<'delete' | 'keep'>()
  const keepOff = whyNot('resume', { status, mode, requested: request.asked, ...asker })
  const deleteOff = whyNotDelete(asker) ?? keepOff
  const { idOf, own } = useWhys([keepOff, deleteOff])
  const items = counted(prune.items, 'item')
  return (
    <div className="decision">
      <div className="control-buttons">
        <Button offBecause={idOf(keepOff)} onClick={() => setQuestion('keep')}>
          Go on without deleting
        </Button>
        <Button
          variant="secondary"
          actionType="destructive"
          offBecause={idOf(deleteOff)}
          onClick={() => setQuestion('delete')}
        >
          Delete {prune.items === 1 ? 'this item' : `these ${items}`}
        </Button>
      </div>
      <NamedReasons
        own={own}
        off={
          new Map([
            ['Go on', keepOff],
            ['Delete', deleteOff],
          ])
        }
      />
      {question === 'keep' && (
        <Confirm
          title="Go on without deleting?"
          confirm="Go on without deleting"
          keep="Stay paused"
          onConfirm={() => control(() => resumeMigration(requestId))}
          onClose={() => setQuestion(undefined)}
        >
          <p>{prune.items === 1 ? 'The item stays' : `The ${items} stay`} in the destination.</p>
        </Confirm>
      )}
      {question === 'delete' && (
        <Confirm
          title={`Delete ${items} from ${destination.label}?`}
          confirm={`Delete ${items}`}
          keep="Delete nothing"
          destructive
          typed={destination.label}
          onConfirm={() => control(() => resumeMigration(requestId, prune.confirmPrune))}
          onClose={() => setQuestion(undefined)}
        >
          <p>
            The migration goes on and deletes exactly what is on the list. What changes in either store until then is
            kept. Deleted items cannot be brought back from here; what they were is kept under Changes.
          </p>
        </Confirm>
      )}
    </div>
  )
}

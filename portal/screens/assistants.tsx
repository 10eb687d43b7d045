import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Confirm } from '../confirm.tsx'
import { ownActions } from '../data/people-actions.ts'
import { type AssistantEntry, assistantsQuery, ownKey } from '../data/people-queries.ts'
import { distinctNames } from '../format/distinct-names.ts'
import { exactTime } from '../format/time.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { ListPanel } from '../ui/list-panel.tsx'
import { EmptyNote } from '../ui/notice.tsx'
import { Panel } from '../ui/panel.tsx'
import { Screen } from '../ui/screen.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { When } from '../ui/when.tsx'
import { useShown } from '../use-shown.ts'
import { PartState } from './part-state.tsx'
import { useOffNow } from './use-off-now.ts'

const route = getRouteApi('/app/assistants')

const none = (
  <EmptyNote title="No assistant is connected">Give an assistant the address below, then allow it to read.</EmptyNote>
)

/** The assistants that this person has allowed. Everyone has this screen, whatever their role. */
export function Assistants() {
  const { shown: cursor, failed } = useShown(route.useSearch().cursor, assistantsQuery)
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(assistantsQuery(cursor))
  const [ending, setEnding] = useState<AssistantEntry>()
  const nameOf = distinctNames(
    data.items,
    ({ name }) => name,
    ({ name, host, connectedAt }) => `${name} at ${host}, since ${exactTime(new Date(connectedAt))}`,
  )
  const address = `${location.origin}/mcp`
  return (
    <Screen
      title="Connected assistants"
      lead="Programs, such as AI assistants, that you allowed to read stores and migrations on your behalf. They cannot change anything."
    >
      <ListPanel
        problem={failed && <PartState query={failed} />}
        page={data}
        shown={{ cursor }}
        onTurn={(next) => navigate({ search: { cursor: next } })}
      >
        <Table
          caption="Connected assistants, newest first"
          columns={columns(nameOf, setEnding)}
          rows={data.items}
          rowKey={({ id }) => id}
          empty={none}
        />
      </ListPanel>
      <Panel title="Connect an assistant">
        <p>Paste this address where the assistant asks for the address of a connector or an MCP server:</p>
        <p className="copy-line">
          <code>{address}</code> <CopyButton text={address} label="Copy the address" />
        </p>
      </Panel>
      {ending && <Disconnect id={ending.id} name={nameOf(ending)} onClose={() => setEnding(undefined)} />}
    </Screen>
  )
}

function columns(
  nameOf: (assistant: AssistantEntry) => string,
  onEnd: (assistant: AssistantEntry) => void,
): Column<AssistantEntry>[] {
  return [
    {
      key: 'name',
      header: 'Calls itself',
      narrow: 'title',
      cell: ({ name, host }) => (
        <>
          <q>
            <bdi>{name}</bdi>
          </q>
          <small>
            at <bdi>{host}</bdi>
          </small>
        </>
      ),
    },
    { key: 'organization', header: 'Reads', cell: ({ organization }) => <bdi>{organization}</bdi> },
    { key: 'since', header: 'Since', cell: ({ connectedAt }) => <When at={connectedAt} /> },
    {
      key: 'used',
      header: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <When at={lastUsedAt} />),
    },
    {
      key: 'actions',
      header: 'Actions',
      narrow: 'plain',
      cell: (assistant) => <DisconnectButton name={nameOf(assistant)} onEnd={() => onEnd(assistant)} />,
    },
  ]
}

function DisconnectButton({ name, onEnd }: { name: string; onEnd: () => void }) {
  return (
    <Button variant="secondary" name={`Disconnect: ${name}`} offBecause={useOffNow()} onClick={onEnd}>
      Disconnect
    </Button>
  )
}

function Disconnect({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const queries = useQueryClient()
  const disconnect = async () => {
    await ownActions.disconnect(id)
    await queries.invalidateQueries({ queryKey: ownKey })
  }
  return (
    <Confirm title={`Disconnect ${name}?`} confirm="Disconnect" destructive onConfirm={disconnect} onClose={onClose}>
      <p>Its next question is refused. To let it in again, you allow it anew.</p>
    </Confirm>
  )
}

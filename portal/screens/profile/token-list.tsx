import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Confirm } from '../../confirm.tsx'
import { ownActions } from '../../data/people-actions.ts'
import { ownKey, type TokenEntry, tokensQuery } from '../../data/people-queries.ts'
import { distinctNames } from '../../format/distinct-names.ts'
import { exactTime } from '../../format/time.ts'
import { Button } from '../../ui/button.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { EmptyNote } from '../../ui/notice.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { useShown } from '../../use-shown.ts'
import { PartState } from '../part-state.tsx'
import { useOffNow } from '../use-off-now.ts'

const route = getRouteApi('/app/profile')

const none = (
  <EmptyNote title="No program has logged in as you">
    The API credential of an organization can speak for you.
  </EmptyNote>
)

/** Tokens in this person's name. Any login with an organization's credential may have created one. */
export function TokenList() {
  const { shown: cursor, failed } = useShown(route.useSearch().token, tokensQuery)
  const navigate = route.useNavigate()
  const offBecause = useOffNow()
  const { data } = useSuspenseQuery(tokensQuery(cursor))
  const [ending, setEnding] = useState<TokenEntry>()
  const nameOf = distinctNames(
    data.items,
    ({ organisation }) => organisation.name,
    ({ organisation, issuedAt }) => `${organisation.name}, since ${exactTime(new Date(issuedAt))}`,
  )
  return (
    <>
      <ListPanel
        title="API tokens in your name"
        problem={failed && <PartState query={failed} />}
        page={data}
        shown={{ cursor }}
        onTurn={(next) => navigate({ search: (search) => ({ ...search, token: next }) })}
      >
        <Table
          caption="API tokens in your name, newest first"
          columns={columns(nameOf, setEnding, offBecause)}
          rows={data.items}
          rowKey={({ id }) => id}
          empty={none}
        />
      </ListPanel>
      {ending && <End id={ending.id} name={nameOf(ending)} onClose={() => setEnding(undefined)} />}
    </>
  )
}

function columns(
  nameOf: (token: TokenEntry) => string,
  onEnd: (token: TokenEntry) => void,
  offBecause: string | undefined,
): Column<TokenEntry>[] {
  return [
    {
      key: 'organization',
      header: 'Organization',
      narrow: 'title',
      cell: ({ organisation, address }) => (
        <>
          <bdi>{organisation.name}</bdi>
          {address !== null && <small>from {address}</small>}
        </>
      ),
    },
    { key: 'since', header: 'Since', cell: ({ issuedAt }) => <When at={issuedAt} /> },
    { key: 'until', header: 'Until', cell: ({ expiresAt }) => <When at={expiresAt} /> },
    {
      key: 'actions',
      header: 'Actions',
      narrow: 'plain',
      cell: (token) => (
        <Button
          variant="secondary"
          name={`End: token for ${nameOf(token)}`}
          offBecause={offBecause}
          onClick={() => onEnd(token)}
        >
          End
        </Button>
      ),
    },
  ]
}

function End({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const queries = useQueryClient()
  const end = async () => {
    await ownActions.endToken(id)
    await queries.invalidateQueries({ queryKey: ownKey })
  }
  return (
    <Confirm title={`End the token for ${name}?`} confirm="End the token" destructive onConfirm={end} onClose={onClose}>
      <p>The program that has it is refused from its next call on. Migrations that it started go on.</p>
    </Confirm>
  )
}

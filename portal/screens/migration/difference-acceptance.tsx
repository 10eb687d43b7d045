import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNotAccept } from '../../allowed.ts'
import { Confirm } from '../../confirm.tsx'
import { acceptDifferences, reopenDifference } from '../../data/migration-actions.ts'
import { type Difference, differencesKey, type Migration, migrationQuery } from '../../data/queries.ts'
import { wholeNumber } from '../../format/number.ts'
import { useAsker } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { useWhys } from '../../ui/reasons.tsx'

interface Props {
  difference: Difference
  migration: Migration
  /** What people call the item. */
  name: string
}

/** Whether a person may decide that a difference is right: others are no fault, and need no decision. */
export function isAcceptable({ living, kept }: Pick<Difference, 'living' | 'kept'>): boolean {
  return !living && !kept
}

/** Accepts a difference as it is, or reopens one that was accepted. */
export function DifferenceAcceptance({ difference: { id, state }, migration, name }: Props) {
  const [isAsked, setAsked] = useState(false)
  const queries = useQueryClient()
  const off = whyNotAccept(useAsker())
  const { idOf, notes } = useWhys([off])
  const { requestId } = migration
  const isOpen = state === 'open'
  const words = isOpen ? 'Accept as is' : 'Reopen'
  const change = async () => {
    await (isOpen ? acceptDifferences(requestId, [id]) : reopenDifference(requestId, id))
    await readAgain(queries, requestId)
  }
  return (
    <>
      <Button variant="secondary" name={`${words}: ${name}`} offBecause={idOf(off)} onClick={() => setAsked(true)}>
        {words}
      </Button>
      {notes}
      {isAsked && (
        <Confirm
          title={isOpen ? `Accept ${name} as it is?` : `Reopen ${name}?`}
          confirm={words}
          keep="Not now"
          onConfirm={change}
          onClose={() => setAsked(false)}
        >
          <p>
            {isOpen
              ? 'It stays in the list, and no longer needs review. Neither store is changed.'
              : 'It needs review again. Neither store is changed.'}
          </p>
          {isOpen && <Done migration={migration} after={1} />}
        </Confirm>
      )}
    </>
  )
}

/** Accepts all differences of a page of the list: exactly those that the person sees. */
export function AcceptShown({ differences, migration }: { differences: readonly Difference[]; migration: Migration }) {
  const [isAsked, setAsked] = useState(false)
  const queries = useQueryClient()
  const off = whyNotAccept(useAsker())
  const { idOf, notes } = useWhys([off])
  const open = differences.filter((one) => isAcceptable(one) && one.state === 'open')
  if (open.length < 2) return null
  const count = wholeNumber(open.length)
  const accept = async () => {
    await acceptDifferences(
      migration.requestId,
      open.map(({ id }) => id),
    )
    await readAgain(queries, migration.requestId)
  }
  return (
    <div className="list-actions">
      <Button variant="secondary" offBecause={idOf(off)} onClick={() => setAsked(true)}>
        Accept the {count} on this page as they are
      </Button>
      {notes}
      {isAsked && (
        <Confirm
          title={`Accept ${count} differences as they are?`}
          confirm={`Accept ${count} differences`}
          keep="Not now"
          onConfirm={accept}
          onClose={() => setAsked(false)}
        >
          <p>
            These are the ones on this page. They stay in the list, and no longer need review. Neither store is changed.
          </p>
          <Done migration={migration} after={open.length} />
        </Confirm>
      )}
    </div>
  )
}

/** Says so if nothing needs review after this many are accepted. */
function Done({ migration: { status, failuresOpen }, after }: { migration: Migration; after: number }) {
  if (failuresOpen > after) return null
  const isThenDone = status === 'partial_completed'
  return <p>{isThenDone ? 'Nothing else needs review: the comparison is then done.' : 'Nothing else needs review.'}</p>
}

async function readAgain(queries: QueryClient, requestId: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: differencesKey(requestId) }),
    queries.invalidateQueries({ queryKey: migrationQuery(requestId).queryKey }),
  ])
}

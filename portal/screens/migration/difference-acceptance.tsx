import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNotAccept } from '../../allowed.ts'
import { Confirm } from '../../confirm.tsx'
import { acceptDifference, reopenDifference } from '../../data/migration-actions.ts'
import { type Difference, differencesKey, type Migration, migrationQuery } from '../../data/queries.ts'
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
  const { requestId, status, failuresOpen } = migration
  const isOpen = state === 'open'
  const words = isOpen ? 'Accept as is' : 'Reopen'
  const isLast = isOpen && status === 'partial_completed' && failuresOpen <= 1
  const change = async () => {
    await (isOpen ? acceptDifference(requestId, id) : reopenDifference(requestId, id))
    await Promise.all([
      queries.invalidateQueries({ queryKey: differencesKey(requestId) }),
      queries.invalidateQueries({ queryKey: migrationQuery(requestId).queryKey }),
    ])
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
          {isLast && <p>Nothing else needs review: the comparison is then done.</p>}
        </Confirm>
      )}
    </>
  )
}

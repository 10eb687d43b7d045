import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNotReopen } from '../../allowed.ts'
import { Confirm } from '../../confirm.tsx'
import { type IssueChoice, reopenIssues } from '../../data/migration-actions.ts'
import { issuesKey, type Migration, migrationQuery } from '../../data/queries.ts'
import { counted } from '../../format/number.ts'
import { useAsker } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { useWhys } from '../../ui/reasons.tsx'

interface Props {
  migration: Migration
  choice: IssueChoice
  /** What people call it: the name of an item, or the number of issues. */
  what: string
  count: number
}

/** Reopens accepted issues: one, or all with one cause in a single request. */
export function ReopenAction({ migration: { requestId, status }, choice, what, count }: Props) {
  const queries = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const off = whyNotReopen(useAsker(), status)
  const { idOf, notes } = useWhys([off])
  const isOne = count === 1
  const words = isOne ? 'Reopen' : `Reopen ${counted(count, 'item')}`
  const reopen = async () => {
    await reopenIssues(requestId, choice)
    await Promise.all([
      queries.invalidateQueries({ queryKey: issuesKey(requestId) }),
      queries.invalidateQueries({ queryKey: migrationQuery(requestId).queryKey }),
    ])
  }
  return (
    <div className="row-actions">
      <Button
        variant="secondary"
        name={isOne ? `Reopen: ${what}` : undefined}
        offBecause={idOf(off)}
        onClick={() => setAsked(true)}
      >
        {words}
      </Button>
      {notes}
      {isAsked && (
        <Confirm
          title={`Reopen ${what}?`}
          confirm={words}
          keep="Not now"
          onConfirm={reopen}
          onClose={() => setAsked(false)}
        >
          <p>
            {isOne ? 'It needs' : 'They need'} review again, and why {isOne ? 'it was' : 'they were'} accepted is
            forgotten. Neither store is changed.
          </p>
        </Confirm>
      )}
    </div>
  )
}

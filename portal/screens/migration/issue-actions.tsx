import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '../../../src/contract/primitives/limits.ts'
import { whyNot, whyNotAccept } from '../../allowed.ts'
import { Confirm } from '../../confirm.tsx'
import { acceptIssues, type IssueChoice, retryIssues } from '../../data/migration-actions.ts'
import { issuesKey, type Migration, type MigrationRequest, migrationQuery } from '../../data/queries.ts'
import { counted } from '../../format/number.ts'
import { useAsker } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { useWhys } from '../../ui/reasons.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { useControl } from './use-control.ts'

interface Props {
  migration: Migration
  request: MigrationRequest
  choice: IssueChoice
  /** What people call it: the name of an item, or the number of issues. */
  what: string
  count: number
}

/** Tries open issues again, or accepts them as they are: one issue, or all with one cause in a single request. */
export function IssueActions({ migration, request, choice, what, count }: Props) {
  const queries = useQueryClient()
  const [question, setQuestion] = useState<'accept' | 'retry'>()
  function ask(next: 'accept' | 'retry') {
    // Others may have come since the list was loaded. The question says how many it is about.
    if (choice.ids === undefined) queries.invalidateQueries({ queryKey: issuesKey(migration.requestId) })
    // Nor may others have been accepted since: accepting the last one cannot be taken back.
    queries.invalidateQueries({ queryKey: migrationQuery(migration.requestId).queryKey })
    setQuestion(next)
  }
  const asker = useAsker()
  const { status, mode } = migration
  const retryOff = whyNot('heal', { status, mode, requested: request.asked, ...asker })
  const acceptOff = whyNotAccept(asker)
  const many = count > 1 ? ` ${counted(count, 'item')}` : ''
  const again = count > 1 ? `Try${many} again` : 'Try again'
  const { idOf, notes } = useWhys([retryOff, acceptOff])
  const isLast = status === 'partial_completed' && count >= migration.failuresOpen
  const asked = { id: migration.requestId, choice, what, count, onClose: () => setQuestion(undefined) }
  return (
    <div className="row-actions">
      <span data-key="r">
        <Button
          variant="secondary"
          name={count > 1 ? undefined : `Try again: ${what}`}
          offBecause={idOf(retryOff)}
          onClick={() => ask('retry')}
        >
          {again}
        </Button>
      </span>
      <span data-key="a">
        <Button
          variant="secondary"
          name={count > 1 ? undefined : `Accept as is: ${what}`}
          offBecause={idOf(acceptOff)}
          onClick={() => ask('accept')}
        >
          Accept{many} as is
        </Button>
      </span>
      {notes}
      {question === 'accept' && <AcceptQuestion {...asked} isLast={isLast} />}
      {question === 'retry' && <RetryQuestion {...asked} />}
    </div>
  )
}

type QuestionProps = Pick<Props, 'choice' | 'what' | 'count'> & { id: string; onClose: () => void }

interface AcceptProps extends QuestionProps {
  /** Whether nothing else needs review. */
  isLast: boolean
}

function AcceptQuestion({ id, choice, what, count, isLast, onClose }: AcceptProps) {
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const accept = async () => {
    await acceptIssues(id, choice, reason.trim())
    await Promise.all([
      queries.invalidateQueries({ queryKey: issuesKey(id) }),
      queries.invalidateQueries({ queryKey: migrationQuery(id).queryKey }),
    ])
  }
  const isOne = count === 1
  return (
    <Confirm
      title={isOne ? `Accept ${what} as it is?` : `Accept ${what} as they are?`}
      confirm={isOne ? 'Accept as is' : `Accept ${what}`}
      keep="Not now"
      onConfirm={accept}
      onClose={onClose}
    >
      <p>{isOne ? 'It counts' : 'They count'} as settled. Neither store is changed.</p>
      {isLast && <p>Nothing else needs review: the migration is then done, and this cannot be taken back.</p>}
      <TextArea
        label="Reason (optional)"
        hint="Shown with what was accepted and in the report."
        value={reason}
        maxLength={limits.reasonLength}
        onChange={setReason}
      />
    </Confirm>
  )
}

function RetryQuestion({ id, choice, what, count, onClose }: QuestionProps) {
  const control = useControl(id)
  return (
    <Confirm
      title={`Try ${what} again?`}
      confirm="Try again"
      keep="Not now"
      onConfirm={() => control(() => retryIssues(id, choice))}
      onClose={onClose}
    >
      <p>Tries {count === 1 ? 'this item' : `these ${counted(count, 'item')}`} again and nothing else.</p>
    </Confirm>
  )
}

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '../../../src/contract/primitives/limits.ts'
import { whyNotSign } from '../../allowed.ts'
import { Confirm } from '../../confirm.tsx'
import { signOffsQuery } from '../../data/findings.ts'
import { signOff } from '../../data/migration-actions.ts'
import type { MigrationRequest } from '../../data/queries.ts'
import { exactTime } from '../../format/time.ts'
import { useAsker } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useWhys } from '../../ui/reasons.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { Verdict } from './is-it-right.tsx'

interface Props {
  id: string
  comparison: MigrationRequest['comparison']
}

/** Who signed off the copy, with the button to do so. */
export function SignOffs({ id, comparison }: Props) {
  const { data } = useSuspenseQuery(signOffsQuery(id))
  return (
    <Panel title="Sign-off">
      {data.items.length === 0 && <p>Nobody has signed this copy off yet.</p>}
      <ul className="report-list">
        {data.items.map(({ id: each, signedBy, at, note, isCurrent }) => (
          <li key={each}>
            <strong>
              <bdi>{signedBy}</bdi>
            </strong>
            , {exactTime(new Date(at))}
            {note !== null && (
              <>
                : <bdi>{note}</bdi>
              </>
            )}
            {!isCurrent && ' (the copy went on since)'}
          </li>
        ))}
      </ul>
      <Sign id={id} comparison={comparison} />
    </Panel>
  )
}

/** Lines at the end of the paper. */
export function SignatureLines() {
  return (
    <div className="print-only signature-lines">
      <p>Name and signature</p>
      <p>Place and date</p>
    </div>
  )
}

function Sign({ id, comparison }: Props) {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [note, setNote] = useState('')
  const offBecause = whyNotSign(useAsker(), comparison?.isCurrent === true)
  const { idOf, notes } = useWhys([offBecause])
  const sign = async () => {
    if (comparison) await signOff(id, comparison.requestId, note.trim())
    await queries.invalidateQueries({ queryKey: signOffsQuery(id).queryKey })
  }
  return (
    <div className="screen-only">
      <Button variant="secondary" offBecause={idOf(offBecause)} onClick={() => setOpen(true)}>
        Record sign-off
      </Button>
      {notes}
      {isOpen && (
        <Confirm
          title="Sign this copy off?"
          confirm="Sign off"
          keep="Not now"
          onConfirm={sign}
          onClose={() => setOpen(false)}
        >
          {comparison && <Verdict id={comparison.requestId} />}
          <p>Your name and the time are recorded with this comparison, the latest. Neither store is changed.</p>
          <TextArea label="Note (optional)" value={note} maxLength={limits.reasonLength} onChange={setNote} />
        </Confirm>
      )}
    </div>
  )
}

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { whyNotStore } from '../../allowed.ts'
import { Confirm } from '../../confirm.tsx'
import { ApiError } from '../../data/client.ts'
import { type StoreDetail, unfinishedQuery } from '../../data/queries.ts'
import { storeActions } from '../../data/store-actions.ts'
import { storeQuery, storesQuery } from '../../data/store-queries.ts'
import { paths } from '../../paths.ts'
import { RenameDialog } from '../../rename-dialog.tsx'
import { useAsker } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { LinkOrReason } from '../../ui/link-or-reason.tsx'
import { Panel } from '../../ui/panel.tsx'
import { GivenReasons, useWhys } from '../../ui/reasons.tsx'
import { migrationWithin } from '../../words.ts'

type Question = 'rename' | 'disconnect'

/** What an owner can do to a store. Others read who may do it. */
export function StoreActions({ store }: { store: StoreDetail }) {
  const [question, setQuestion] = useState<Question>()
  const asker = useAsker()
  const busy = useUnfinished(store.hash)
  const off = {
    rename: whyNotStore('label-store', asker),
    token: whyNotStore('add-store', asker),
    disconnect: whyNotStore('disconnect-store', asker) ?? busy,
  }
  const whys = useWhys(Object.values(off))
  const close = () => setQuestion(undefined)
  return (
    <Panel title="Manage">
      <div className="row-actions">
        <Button variant="secondary" offBecause={whys.idOf(off.rename)} onClick={() => setQuestion('rename')}>
          Rename
        </Button>
        <GivenReasons value={whys.all}>
          <LinkOrReason to={paths.connectStore} search={{ hash: store.hash }} isSecondary offBecause={off.token}>
            Give a new token
          </LinkOrReason>
        </GivenReasons>
        <Button
          variant="secondary"
          actionType="destructive"
          offBecause={whys.idOf(off.disconnect)}
          onClick={() => setQuestion('disconnect')}
        >
          Disconnect
        </Button>
      </div>
      {whys.notes}
      {question === 'rename' && <Rename store={store} onClose={close} />}
      {question === 'disconnect' && <Disconnect store={store} onClose={close} />}
    </Panel>
  )
}

/** Why a store cannot be disconnected now: without its token, a migration could not end cleanly. */
function useUnfinished(hash: string): string | undefined {
  const { data } = useSuspenseQuery(unfinishedQuery(hash))
  const [unfinished] = data.items
  return unfinished && `It is in use by ${migrationWithin(unfinished.label, unfinished.mode)}.`
}

function Rename({ store: { hash, label }, onClose }: { store: StoreDetail; onClose: () => void }) {
  const queries = useQueryClient()
  const save = async (name: string) => {
    await storeActions.label(hash, name)
    await Promise.all([
      queries.invalidateQueries({ queryKey: storeQuery(hash).queryKey }),
      queries.invalidateQueries({ queryKey: storesQuery().queryKey }),
    ])
  }
  return (
    <RenameDialog
      title={`Rename ${label}`}
      hint="Only its name in Storeferry changes. Earlier migrations keep the old one."
      name={label}
      onSave={save}
      onClose={onClose}
    />
  )
}

function Disconnect({ store: { hash, label }, onClose }: { store: StoreDetail; onClose: () => void }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [mustLeave, setMustLeave] = useState(false)
  const [leave, setLeave] = useState(false)
  const disconnect = async () => {
    try {
      await storeActions.disconnect(hash, leave)
    } catch (error) {
      if (error instanceof ApiError && error.httpStatus === 409) setMustLeave(true)
      throw error
    }
    await navigate({ to: paths.stores })
    queries.removeQueries({ queryKey: storeQuery(hash).queryKey })
    await queries.invalidateQueries({ queryKey: storesQuery().queryKey })
  }
  return (
    <Confirm
      title={`Disconnect ${label}?`}
      confirm="Disconnect"
      destructive
      typed={label}
      onConfirm={disconnect}
      onClose={onClose}
    >
      <p>
        Storeferry forgets the token. Migrations stay readable, and connecting the store again brings its history back.
      </p>
      {mustLeave && (
        <Checkbox
          label="Disconnect all the same"
          meaning="What a migration switched off in the store stays off until it is connected again."
          isChecked={leave}
          onChange={setLeave}
        />
      )}
    </Confirm>
  )
}

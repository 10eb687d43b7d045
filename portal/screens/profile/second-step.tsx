import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ownActions } from '../../data/people-actions.ts'
import { type BegunSecondStep, ownKey, secondStepQuery } from '../../data/people-queries.ts'
import { sessionQuery } from '../../data/queries.ts'
import { FormDialog } from '../../form-dialog.tsx'
import { counted } from '../../format/number.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { When } from '../../ui/when.tsx'
import { useKeepHere } from '../../use-keep-here.ts'
import { useOffNow } from '../use-off-now.ts'
import { FirstCode } from './first-code.tsx'

type Asked = 'begin' | 'renew' | 'end'

/** Sign-in with a code of an authenticator app after the password. Secrets stay in this component. */
export function SecondStep() {
  const queries = useQueryClient()
  const { data } = useSuspenseQuery(secondStepQuery())
  const [asked, setAsked] = useState<Asked>()
  const [begun, setBegun] = useState<BegunSecondStep>()
  const [codes, setCodes] = useState<string[]>()
  useKeepHere(codes !== undefined, 'The recovery codes are shown only now. Leave without them?')
  async function changed(next?: string[]) {
    setBegun(undefined)
    setCodes(next)
    await queries.invalidateQueries({ queryKey: ownKey })
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  const close = () => setAsked(undefined)
  return (
    <>
      {codes && <RecoveryCodes codes={codes} onStored={() => setCodes(undefined)} />}
      <Panel title="Second step">
        {begun ? (
          <FirstCode begun={begun} onDone={changed} onCancel={() => setBegun(undefined)} />
        ) : (
          <State {...data} onAsk={setAsked} />
        )}
      </Panel>
      {asked === 'begin' && <Begin onBegun={setBegun} onClose={close} />}
      {asked === 'renew' && <Renew onMade={changed} onClose={close} />}
      {asked === 'end' && <End onEnded={changed} onClose={close} />}
    </>
  )
}

interface StateProps {
  onSince: string | null
  recoveryCodesLeft: number
  onAsk: (asked: Asked) => void
}

function State({ onSince, recoveryCodesLeft, onAsk }: StateProps) {
  const offBecause = useOffNow()
  return (
    <>
      {onSince === null ? (
        <p>Off: the password is enough to sign in. With a code of an authenticator app, a stolen password is not.</p>
      ) : (
        <p>
          On since <When at={onSince} />: signing in takes a code of your app.{' '}
          {counted(recoveryCodesLeft, 'recovery code is', 'recovery codes are')} left.
        </p>
      )}
      <div className="dialog-actions">
        {onSince === null ? (
          <Button offBecause={offBecause} onClick={() => onAsk('begin')}>
            Turn on the second step
          </Button>
        ) : (
          <>
            <Button variant="secondary" offBecause={offBecause} onClick={() => onAsk('renew')}>
              Make new recovery codes
            </Button>
            <Button variant="secondary" actionType="destructive" offBecause={offBecause} onClick={() => onAsk('end')}>
              Turn off the second step
            </Button>
          </>
        )}
      </div>
    </>
  )
}

function Begin({ onBegun, onClose }: { onBegun: (begun: BegunSecondStep) => void; onClose: () => void }) {
  const [password, setPassword] = useState('')
  const begin = async () => onBegun(await ownActions.beginSecondStep(password))
  return (
    <FormDialog title="Turn on the second step" submit="Continue" onSave={begin} onClose={onClose}>
      {(problems) => (
        <TextField
          label="Password"
          type="password"
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          problem={problems.currentPassword}
          hint="The one you signed in with."
        />
      )}
    </FormDialog>
  )
}

interface CodeFieldProps {
  value: string
  onChange: (value: string) => void
  problem: string | undefined
}

function CodeField(props: CodeFieldProps) {
  return <TextField label="Code of your app, or a recovery code" autoComplete="one-time-code" {...props} />
}

function Renew({ onMade, onClose }: { onMade: (codes: string[]) => Promise<void>; onClose: () => void }) {
  const [code, setCode] = useState('')
  const renew = async () => onMade((await ownActions.renewRecoveryCodes(code)).recoveryCodes)
  return (
    <FormDialog title="Make new recovery codes" submit="Make new codes" onSave={renew} onClose={onClose}>
      {(problems) => (
        <>
          <p>Earlier recovery codes stop working.</p>
          <CodeField value={code} onChange={setCode} problem={problems.code} />
        </>
      )}
    </FormDialog>
  )
}

function End({ onEnded, onClose }: { onEnded: () => Promise<void>; onClose: () => void }) {
  const [code, setCode] = useState('')
  async function end() {
    await ownActions.endSecondStep(code)
    await onEnded()
  }
  return (
    <FormDialog title="Turn off the second step" submit="Turn off" onSave={end} onClose={onClose}>
      {(problems) => (
        <>
          <p>From then on the password is enough to sign in, and the recovery codes stop working.</p>
          <CodeField value={code} onChange={setCode} problem={problems.code} />
        </>
      )}
    </FormDialog>
  )
}

function RecoveryCodes({ codes, onStored }: { codes: string[]; onStored: () => void }) {
  return (
    <SecretOnce
      title="Recovery codes"
      values={[{ label: 'Recovery codes', value: codes.join('\n') }]}
      onStored={onStored}
    >
      Each signs you in once when your app is not at hand. They are shown only now: keep them where you keep passwords,
      not on the phone with the app.
    </SecretOnce>
  )
}

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { whyNotStore } from '../../allowed.ts'
import { fieldErrors, sentenceOf } from '../../data/errors.ts'
import { type ConnectedStore, storeActions } from '../../data/store-actions.ts'
import { storeQuery, storesQuery } from '../../data/store-queries.ts'
import { paths } from '../../paths.ts'
import { useAsker, useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { RadioGroup } from '../../ui/choices.tsx'
import { ErrorSummary, type FieldProblem } from '../../ui/error-summary.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Screen } from '../../ui/screen.tsx'
import { Connected } from './connected.tsx'
import { ScopeList } from './scope-list.tsx'
import { problemsOf, storeHashIn } from './store-hash.ts'

const route = getRouteApi('/app/stores/connect')

const purposes = [
  { value: 'from' as const, words: 'Copy from it', meaning: 'Storeferry only reads a store it copies from.' },
  {
    value: 'to' as const,
    words: 'Copy to it',
    meaning: 'Storeferry creates and, if you choose so, changes items in it.',
  },
]

/** Of the sentence that says who connects stores. */
const whyId = 'who-connects'

const fields = { path: 'store-path', token: 'store-token' }

export function ConnectStore() {
  const { hash = '', purpose } = route.useSearch()
  const navigate = route.useNavigate()
  const offBecause = whyNotStore('add-store', useAsker())
  const { connectsByApp } = useSession()
  const { data } = useSuspenseQuery(storesQuery())
  const [connected, setConnected] = useState<ConnectedStore>()
  const labelOf = (one: string) => data.items.find((store) => store.hash === one)?.label
  const chosen = purpose ?? (data.items.length === 0 ? 'from' : 'to')
  const label = connected ? undefined : labelOf(hash)
  async function connectAnother() {
    await navigate({ search: { purpose: chosen === 'from' ? 'to' : 'from' }, replace: true })
    setConnected(undefined)
  }
  return (
    <Screen
      title={label === undefined ? 'Connect a store' : `New token for ${label}`}
      crumbs={[{ label: 'Stores', to: paths.stores }]}
    >
      {offBecause !== undefined && (
        <Notice tone="quiet">
          <span id={whyId}>{offBecause}</span>
        </Notice>
      )}
      <div className="stack form-page">
        <Panel title="1. What for">
          <RadioGroup
            legend="What you want to do with the store"
            isLegendHidden
            value={chosen}
            options={purposes}
            onChange={(next) => navigate({ search: { hash: hash || undefined, purpose: next }, replace: true })}
          />
        </Panel>
        {connectsByApp && label === undefined && !connected && (
          <Notice tone="quiet" title="Or by the app, without a token">
            Open Apps in the control panel of the store, install the app of this service, and follow its link Connect
            this store. With a token, go on below.
          </Notice>
        )}
        <Panel title="2. Create an API account in BigCommerce">
          <ScopeList purpose={chosen} />
        </Panel>
        {connected ? (
          <Connected store={connected} onAnother={connectAnother} />
        ) : (
          <TokenForm
            hash={hash}
            offBecause={offBecause}
            onHash={(next) => navigate({ search: { hash: next, purpose: chosen }, replace: true })}
            onConnected={setConnected}
          />
        )}
      </div>
    </Screen>
  )
}

interface TokenFormProps {
  hash: string
  offBecause: string | undefined
  onHash: (hash: string) => void
  onConnected: (store: ConnectedStore) => void
}

/**
 * The token is only in this field, and removed once it is sent. The hash is in the address, so that it survives a
 * sign-in.
 */
function TokenForm({ hash, offBecause, onHash, onConnected }: TokenFormProps) {
  const queries = useQueryClient()
  const [path, setPath] = useState(hash)
  const [token, setToken] = useState('')
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const problemOf = (field: string) => problems.find((problem) => problem.field === field)?.message
  async function connect(event: FormEvent) {
    event.preventDefault()
    if (busy || offBecause !== undefined) return
    const wrong = problemsOf({ path, token })
    if (wrong.path !== undefined || wrong.token !== undefined) return setProblems(listed(wrong))
    const requested = storeHashIn(path)
    setBusy(true)
    setProblems([])
    onHash(requested)
    try {
      // A store that is already connected keeps its name, also one that it got since this page was opened.
      const store = await storeActions.connect({ hash: requested, token: token.trim() })
      setToken('')
      // What the token before might read.
      queries.removeQueries({ queryKey: storeQuery(requested).queryKey })
      await queries.invalidateQueries({ queryKey: storesQuery().queryKey })
      onConnected(store)
    } catch (error) {
      setProblems(problemsAfter(error))
      setBusy(false)
    }
  }
  return (
    <Panel title="3. Connect">
      <form onSubmit={connect} noValidate>
        {problems.length > 0 && <ErrorSummary title="The store is not connected" problems={problems} />}
        <TextField
          id={fields.path}
          label="API path or store hash"
          value={path}
          onChange={setPath}
          problem={problemOf(fields.path)}
          hint="As the API account shows it: https://api.bigcommerce.com/stores/…/v3/"
        />
        <TextField
          id={fields.token}
          label="Access token"
          type="password"
          value={token}
          onChange={setToken}
          autoComplete="new-password"
          problem={problemOf(fields.token)}
          hint="Stored encrypted, never shown again."
        />
        <div className="dialog-actions">
          <Button type="submit" busy={busy} offBecause={offBecause && whyId}>
            Check and connect
          </Button>
        </div>
      </form>
    </Panel>
  )
}

function listed(wrong: { path?: string; token?: string }): FieldProblem[] {
  return Object.entries(fields).flatMap(([key, field]) => {
    const message = wrong[key as keyof typeof fields]
    return message === undefined ? [] : [{ field, message }]
  })
}

/** The field that an error is about: BigCommerce does not know the store, or does not accept the token for it. */
function problemsAfter(error: unknown): FieldProblem[] {
  const { hash, token } = fieldErrors(error)
  if (hash !== undefined || token !== undefined)
    return listed({ ...(hash !== undefined && { path: hash }), ...(token !== undefined && { token }) })
  return [{ field: fields.token, message: sentenceOf(error) }]
}

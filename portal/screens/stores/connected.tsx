import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { fieldErrors, sentenceOf } from '../../data/errors.ts'
import { type ConnectedStore, storeActions } from '../../data/store-actions.ts'
import { entitiesQuery, storeQuery, storesQuery } from '../../data/store-queries.ts'
import { listed } from '../../format/listed.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useWrongField } from '../../use-wrong-field.ts'
import { troubleWords } from '../../words.ts'

interface Props {
  store: ConnectedStore
  onAnother: () => void
}

/** A store that was just connected: what it is, which scopes its token needs, and its label. */
export function Connected({ store: { hash, label, about, missingScopes }, onAnother }: Props) {
  const { data: stores } = useSuspenseQuery(storesQuery())
  const heading = useRef<HTMLParagraphElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { name, domain, plan } = about
  return (
    <Panel title="3. Connected">
      <p ref={heading} tabIndex={-1} className="summary">
        Connected: <bdi>{name}</bdi>, <bdi>{domain}</bdi>
        {plan !== null && `, plan ${plan}`}
      </p>
      <MissingScopes hash={hash} before={missingScopes} />
      <NameForm hash={hash} label={label} />
      <div className="dialog-actions">
        {stores.items.length > 1 ? (
          <ButtonLink to={paths.newMigration}>New migration</ButtonLink>
        ) : (
          <Button onClick={onAnother}>Connect another store</Button>
        )}
        <ButtonLink to={paths.stores} isSecondary>
          All stores
        </ButtonLink>
        {stores.items.length > 1 && (
          <Button variant="subtle" onClick={onAnother}>
            Connect another store
          </Button>
        )}
      </div>
    </Panel>
  )
}

/** What cannot be read until the API account has more scopes. Checked again on request. */
export function MissingScopes({ hash, before }: { hash: string; before: readonly string[] }) {
  const { data: entities } = useSuspenseQuery(entitiesQuery())
  const { data, error, refetch, isFetching } = useQuery({ ...storeQuery(hash), enabled: false })
  const access = data?.access
  // A store that does not answer says nothing about scopes.
  const known = access?.reachable ? access.missingScopes : before
  const problem = error ? sentenceOf(error) : access && troubleWords[access.state]
  const missing = entities.scopes.filter(({ read }) => known.includes(read))
  if (missing.length === 0) return <Notice tone="done">The token may read everything that Storeferry copies.</Notice>
  const names = missing.map(({ name }) => name).join(', ')
  const kinds = listed([...new Set(missing.flatMap((scope) => scope.for))])
  const them = missing.length === 1 ? 'it' : 'them'
  return (
    <Notice tone="review" title={`Missing: ${names}`}>
      <p>
        {kinds === '' ? `Without ${them} nothing can be copied.` : `${kinds} cannot be read.`} Add {them} to the API
        account in the control panel, then check again.
      </p>
      {problem !== undefined && <p>{problem}</p>}
      <Button variant="secondary" busy={isFetching} onClick={() => refetch()}>
        Check again
      </Button>
    </Notice>
  )
}

function NameForm({ hash, label }: { hash: string; label: string }) {
  const queries = useQueryClient()
  const [name, setName] = useState(label)
  const [problem, setProblem] = useState<string>()
  const [saved, setSaved] = useState('')
  const [busy, setBusy] = useState(false)
  const form = useWrongField(problem)
  async function save(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      const store = await storeActions.label(hash, name)
      await queries.invalidateQueries({ queryKey: storesQuery().queryKey })
      setSaved(`Saved as ${store.label}.`)
    } catch (error) {
      setProblem(fieldErrors(error).label ?? sentenceOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form ref={form} onSubmit={save} noValidate className="name-form">
      <TextField label="Name in Storeferry" value={name} onChange={setName} problem={problem} />
      <Button type="submit" variant="secondary" busy={busy}>
        Save the name
      </Button>
      <p role="status" className="why">
        {saved}
      </p>
    </form>
  )
}

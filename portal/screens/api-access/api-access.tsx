import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { limits } from '../../../src/contract/primitives/limits.ts'
import { credentialQuery, loginsQuery } from '../../data/people-queries.ts'
import type { AuditEntry } from '../../data/queries.ts'
import { storesQuery } from '../../data/store-queries.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { RadioGroup } from '../../ui/choices.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Fact } from '../../ui/fact.tsx'
import { EmptyNote, Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Screen } from '../../ui/screen.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { OwnersOnly } from '../owners-only.tsx'
import { type ExampleKind, exampleKinds, loginExample } from './login-examples.ts'

const noLogins = <EmptyNote title="No program has logged in yet" />

const loginColumns: Column<AuditEntry>[] = [
  {
    key: 'who',
    header: 'As',
    narrow: 'title',
    cell: ({ user }) => (
      <>
        <bdi>{user?.name ?? 'A former member'}</bdi>
        <small>
          <bdi>{user?.email}</bdi>
        </small>
      </>
    ),
  },
  { key: 'at', header: 'When', cell: ({ at }) => <When at={at} isLogged /> },
]

export function ApiAccess() {
  return (
    <OwnersOnly title="API access" list="get-credential-status">
      <Access />
    </OwnersOnly>
  )
}

function Access() {
  const { data: logins } = useSuspenseQuery(loginsQuery())
  return (
    <Screen title="API access" lead="For programs of yours that start and follow migrations.">
      <div className="stack">
        <Credential />
        <LogIn />
        <Panel
          title="Recent logins"
          action={
            <Link to={paths.audit} search={{ action: 'login' }}>
              All logins
            </Link>
          }
          flush
        >
          <Table
            caption="Recent logins"
            columns={loginColumns}
            rows={logins.items}
            rowKey={({ id }) => id}
            empty={noLogins}
          />
        </Panel>
      </div>
    </Screen>
  )
}

const issuers = 'Secrets are issued by the people who run this service.'

function Credential() {
  const { data } = useSuspenseQuery(credentialQuery())
  const { credential } = data
  if (!credential)
    return (
      <Panel title="Credential">
        <p>There is no credential yet. {issuers}</p>
      </Panel>
    )
  const { clientId, lastFour, version, state, changedAt, issuedAt, issuedBy } = credential
  const isEnabled = state === 'enabled'
  return (
    <Panel title="Credential">
      <dl className="facts">
        <Fact term="State">
          <Badge tone={isEnabled ? 'done' : 'quiet'}>{isEnabled ? 'Enabled' : 'Disabled'}</Badge>
        </Fact>
        <Fact term="Client id">
          <span className="copy-line">
            <code>{clientId}</code> <CopyButton text={clientId} label="Copy client id" />
          </span>
        </Fact>
        <Fact term="Client secret">{isEnabled ? `ends in ${lastFour}` : 'no longer works'}</Fact>
        <Fact term="Version">{version}</Fact>
        {issuedAt !== null && (
          <Fact term="Issued">
            <When at={issuedAt} />
            {issuedBy !== null && (
              <>
                {' '}
                by <bdi>{issuedBy}</bdi>
              </>
            )}
          </Fact>
        )}
        {!isEnabled && (
          <Fact term="Disabled">
            <When at={changedAt} />
          </Fact>
        )}
      </dl>
      <p className="hint">{issuers} A new secret ends the old one and all API tokens.</p>
    </Panel>
  )
}

const kindWords: Record<ExampleKind, string> = { curl: 'curl', node: 'Node.js', storeferry: 'Command line' }

/** An example with the fields of the person who reads it. Those of any other member work too. */
function LogIn() {
  const { user, organization } = useSession()
  const { data } = useSuspenseQuery(credentialQuery())
  const { data: stores } = useSuspenseQuery(storesQuery())
  const [kind, setKind] = useState<ExampleKind>('curl')
  const example = loginExample(kind, {
    url: location.origin,
    username: `${user.firstName} ${user.lastName}`,
    email: user.email,
    organization: organization?.name ?? '',
    clientId: data.credential?.clientId ?? 'sfc_...',
  })
  const connected = stores.items.length
  return (
    <Panel title="Log in">
      {connected < limits.minimumConnectedStores && (
        <Notice tone="review">
          Logging in needs two connected stores; you have {connected === 0 ? 'none' : 'one'}.{' '}
          <Link to={paths.connectStore}>Connect a store</Link>
        </Notice>
      )}
      <RadioGroup
        legend="With"
        value={kind}
        options={exampleKinds.map((value) => ({ value, words: kindWords[value] }))}
        onChange={setKind}
      />
      <section className="example" aria-label="Lines to paste">
        <pre>
          <code>{example}</code>
        </pre>
      </section>
      <p className="copy-line">
        <CopyButton key={kind} text={example} label="Copy the lines" />
        <a href="/v2/docs">Everything the API does</a>
      </p>
      <p className="hint">
        The response has a token that is valid for 10 days. The lines already have your own details; the name must be
        the one in your profile.
      </p>
    </Panel>
  )
}

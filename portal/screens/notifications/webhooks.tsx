import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNotNotify } from '../../allowed.ts'
import { notificationActions } from '../../data/notification-actions.ts'
import { notificationsKey, type WebhookEntry, webhooksQuery } from '../../data/notification-queries.ts'
import { useAsker } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyNote } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useWhys } from '../../ui/reasons.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { type Once, useOnce } from '../../use-once.ts'
import { eventsSaid } from './event-words.ts'
import { WebhookActions } from './webhook-actions.tsx'
import { type WebhookFields, WebhookForm } from './webhook-form.tsx'
import { webhookNames } from './webhook-names.ts'
import { type WebhookSecret, WebhookSecretOnce } from './webhook-secret.tsx'

const none = (
  <EmptyNote title="No webhook yet">
    A webhook sends each event to a program of yours, as a signed message over https.
  </EmptyNote>
)

export function Webhooks() {
  const queries = useQueryClient()
  const { data } = useSuspenseQuery(webhooksQuery())
  const off = whyNotNotify(useAsker())
  const { idOf } = useWhys([off])
  const [isAdding, setAdding] = useState(false)
  const secrets = useOnce<WebhookSecret>()
  async function add(fields: WebhookFields) {
    const { webhook, secret } = await notificationActions.create(fields)
    secrets.show({ of: webhook.id, name: webhookNames([...data.items, webhook])[webhook.id] ?? '', secret })
    await queries.invalidateQueries({ queryKey: notificationsKey() })
  }
  return (
    <>
      <WebhookSecretOnce secrets={secrets} />
      <Panel
        title="Webhooks"
        action={
          <Button variant="secondary" offBecause={idOf(off)} onClick={() => setAdding(true)}>
            Add a webhook
          </Button>
        }
        flush
      >
        <Table
          caption="Webhooks"
          columns={columns(webhookNames(data.items), secrets)}
          rows={data.items}
          rowKey={({ id }) => id}
          empty={none}
        />
      </Panel>
      {isAdding && <WebhookForm title="Add a webhook" submit="Add" onSave={add} onClose={() => setAdding(false)} />}
    </>
  )
}

function columns(names: Record<string, string>, secrets: Once<WebhookSecret>): Column<WebhookEntry>[] {
  return [
    {
      key: 'address',
      header: 'Address',
      narrow: 'title',
      cell: ({ url, description }) => (
        <>
          <bdi>{url}</bdi>
          {description !== '' && (
            <small>
              <bdi>{description}</bdi>
            </small>
          )}
        </>
      ),
    },
    { key: 'events', header: 'Sends', cell: ({ events }) => eventsSaid(events) },
    { key: 'state', header: 'State', cell: (webhook) => <WebhookState webhook={webhook} /> },
    {
      key: 'actions',
      header: 'Actions',
      narrow: 'plain',
      cell: (webhook) => <WebhookActions webhook={webhook} name={names[webhook.id] ?? ''} secrets={secrets} />,
    },
  ]
}

const disabledWords: Record<NonNullable<WebhookEntry['disabledBecause']>, string> = {
  failures: 'Off: it failed for three days',
  gone: 'Off: the address answered that it is gone',
  access_removed: 'Off since Store Migration was taken away',
}

function WebhookState({ webhook }: { webhook: WebhookEntry }) {
  const { enabled, disabledBecause, failingSince, previousSecretUntil } = webhook
  if (!enabled)
    return disabledBecause === null ? (
      <Badge tone="quiet">Off</Badge>
    ) : (
      <Badge tone="stopped">{disabledWords[disabledBecause]}</Badge>
    )
  return (
    <>
      {failingSince === null ? (
        <Badge tone="done">On</Badge>
      ) : (
        <Badge tone="review">
          Fails since&nbsp;
          <When at={failingSince} />
        </Badge>
      )}
      {previousSecretUntil !== null && (
        <small>
          Also signed with the secret before, until <When at={previousSecretUntil} />
        </small>
      )}
    </>
  )
}

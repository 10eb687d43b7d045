import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { whyNotNotify } from '../../allowed.ts'
import { sentenceOf } from '../../data/errors.ts'
import { notificationActions } from '../../data/notification-actions.ts'
import {
  type DeliveryEntry,
  type DeliveryFilters,
  deliveriesQuery,
  existingFilters,
  notificationsKey,
  webhooksQuery,
} from '../../data/notification-queries.ts'
import { distinctNames } from '../../format/distinct-names.ts'
import { exactTime } from '../../format/time.ts'
import { paths } from '../../paths.ts'
import { useAsker } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ClearFilters } from '../../ui/clear-filters.tsx'
import { Choice } from '../../ui/field.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { EmptyNote, Notice } from '../../ui/notice.tsx'
import { useWhys } from '../../ui/reasons.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { useShown } from '../../use-shown.ts'
import type { Tone } from '../../words.ts'
import { PartState } from '../part-state.tsx'
import { eventWords, problemSaid, stateWords } from './event-words.ts'
import { webhookNames } from './webhook-names.ts'

const route = getRouteApi('/app/notifications')

const nothingSent = <EmptyNote title="Nothing was sent in the last 30 days" />
const noMatch = (
  <EmptyNote title="Nothing matches" action={<ClearFilters />}>
    Try another webhook or state.
  </EmptyNote>
)

/** What was sent, with its last try, newest first. */
export function Deliveries() {
  const { data: webhooks } = useSuspenseQuery(webhooksQuery())
  const search = existingFilters(route.useSearch(), webhooks)
  const navigate = route.useNavigate()
  const { shown, failed } = useShown(search, deliveriesQuery)
  const { data } = useSuspenseQuery(deliveriesQuery(shown))
  const off = whyNotNotify(useAsker())
  const names = webhookNames(webhooks.items)
  const narrow = (change: DeliveryFilters) =>
    navigate({ search: { ...search, cursor: undefined, ...change }, replace: true })
  const isNarrowed = shown.webhookId !== undefined || shown.state !== undefined
  return (
    <ListPanel
      title="Log"
      filters={
        <>
          <Choice
            label="Webhook"
            words={names}
            value={search.webhookId}
            onChange={(webhookId) => narrow({ webhookId })}
          />
          <Choice label="State" words={stateWords} value={search.state} onChange={(state) => narrow({ state })} />
        </>
      }
      problem={failed && <PartState query={failed} />}
      page={data}
      shown={shown}
      onTurn={(cursor) => navigate({ search: { ...shown, cursor } })}
    >
      <Table
        caption="What was sent, newest first"
        columns={columns(names, deliveryNames(data.items, names), off)}
        rows={data.items}
        rowKey={({ id }) => id}
        empty={isNarrowed ? noMatch : nothingSent}
      />
    </ListPanel>
  )
}

function deliveryNames(deliveries: readonly DeliveryEntry[], webhooks: Record<string, string>) {
  const brief = ({ event }: DeliveryEntry) => eventWords[event.type]
  return distinctNames(deliveries, brief, (delivery) => {
    const { event, webhookId, member } = delivery
    const to = webhookId === null ? member?.name : webhooks[webhookId]
    return `${brief(delivery)}, to ${to}, ${exactTime(new Date(event.at))}`
  })
}

function columns(
  names: Record<string, string>,
  nameOf: (delivery: DeliveryEntry) => string,
  off: string | undefined,
): Column<DeliveryEntry>[] {
  return [
    {
      key: 'event',
      header: 'Event',
      narrow: 'title',
      cell: ({ event: { type, migrationId } }) =>
        migrationId === null ? (
          eventWords[type]
        ) : (
          <Link to={paths.report} params={{ id: migrationId }}>
            {eventWords[type]}
          </Link>
        ),
    },
    { key: 'at', header: 'When', cell: ({ event: { at } }) => <When at={at} isLogged /> },
    {
      key: 'to',
      header: 'To',
      cell: ({ webhookId, member }) =>
        webhookId === null ? (
          <>
            <bdi>{member?.name}</bdi>, by mail
          </>
        ) : (
          <bdi>{names[webhookId]}</bdi>
        ),
    },
    { key: 'state', header: 'State', cell: (delivery) => <State delivery={delivery} /> },
    {
      key: 'actions',
      header: 'Actions',
      narrow: 'plain',
      cell: (delivery) => <SendAgain delivery={delivery} name={nameOf(delivery)} off={off} />,
    },
  ]
}

const tones: Record<DeliveryEntry['state'], Tone> = { pending: 'running', delivered: 'done', failed: 'stopped' }

function State({ delivery: { state, tries, nextTryAt } }: { delivery: DeliveryEntry }) {
  const [last] = tries
  const problem = last && problemSaid(last)
  return (
    <>
      <Badge tone={tones[state]}>{stateWords[state]}</Badge>
      {problem !== undefined && (
        <small>
          {problem}
          {nextTryAt !== null && (
            <>
              {' '}
              Next try: <When at={nextTryAt} />
            </>
          )}
        </small>
      )}
    </>
  )
}

function SendAgain({ delivery, name, off }: { delivery: DeliveryEntry; name: string; off: string | undefined }) {
  const queries = useQueryClient()
  const { idOf } = useWhys([off])
  const [problem, setProblem] = useState<string>()
  async function send() {
    setProblem(undefined)
    try {
      await notificationActions.sendAgain(delivery.id)
      await queries.invalidateQueries({ queryKey: notificationsKey() })
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  const words = delivery.state === 'pending' ? 'Send now' : 'Send again'
  return (
    <div className="row-actions">
      <Button variant="secondary" name={`${words}: ${name}`} offBecause={idOf(off)} onClick={send}>
        {words}
      </Button>
      {problem !== undefined && <Notice tone="stopped">{problem}</Notice>}
    </div>
  )
}

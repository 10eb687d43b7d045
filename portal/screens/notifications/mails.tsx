import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNotNotify } from '../../allowed.ts'
import { notificationActions } from '../../data/notification-actions.ts'
import { type MailChoice, mailChoicesQuery, notificationsKey } from '../../data/notification-queries.ts'
import { FormDialog } from '../../form-dialog.tsx'
import { useAsker } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useWhys } from '../../ui/reasons.tsx'
import { Results } from '../../ui/results.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { FindMember, isLongList } from '../find-member.tsx'
import { EventChoice } from './event-choice.tsx'
import { eventsSaid } from './event-words.ts'

const called = ({ name, email }: MailChoice) => `${name} (${email})`

/** What each member is mailed about, for owners. */
export function Mails() {
  const { data } = useSuspenseQuery(mailChoicesQuery())
  const off = whyNotNotify(useAsker())
  const [choosing, setChoosing] = useState<MailChoice>()
  const [text, setText] = useState<string>()
  const sought = text?.trim().toLowerCase() ?? ''
  const found = data.items.filter((one) => called(one).toLowerCase().includes(sought))
  return (
    <Panel title="Mails to members" flush>
      {!data.canSend && (
        <Notice tone="review">
          No mail is sent: this service has no mail server. Ask the people who run it. What you choose here counts as
          soon as it has one.
        </Notice>
      )}
      {isLongList({ ...data, nextCursor: null }, { text }) && (
        <search className="filters">
          <FindMember text={text} onChange={setText} />
          <Results shown={text} count={found.length} />
        </search>
      )}
      <Table
        caption="Mails to members"
        columns={columns(off, setChoosing)}
        rows={found}
        rowKey={({ userId }) => userId}
        empty={<p className="quiet-line">Nothing matches.</p>}
      />
      {choosing && <Choose member={choosing} onClose={() => setChoosing(undefined)} />}
    </Panel>
  )
}

function columns(off: string | undefined, onChoose: (member: MailChoice) => void): Column<MailChoice>[] {
  return [
    { key: 'name', header: 'Member', narrow: 'title', cell: nameOf },
    { key: 'events', header: 'Is mailed about', cell: ({ events }) => eventsSaid(events) },
    {
      key: 'actions',
      header: 'Actions',
      narrow: 'plain',
      cell: (member) => <ChooseButton member={member} off={off} onChoose={onChoose} />,
    },
  ]
}

function nameOf({ name, email }: MailChoice) {
  return (
    <>
      <bdi>{name}</bdi>
      <small>
        <bdi>{email}</bdi>
      </small>
    </>
  )
}

function ChooseButton(props: { member: MailChoice; off: string | undefined; onChoose: (member: MailChoice) => void }) {
  const { member, off, onChoose } = props
  const { idOf } = useWhys([off])
  return (
    <div className="row-actions">
      <Button
        variant="secondary"
        name={`Choose mails: ${called(member)}`}
        offBecause={idOf(off)}
        onClick={() => onChoose(member)}
      >
        Choose
      </Button>
    </div>
  )
}

function Choose({ member, onClose }: { member: MailChoice; onClose: () => void }) {
  const queries = useQueryClient()
  const [events, setEvents] = useState(member.events)
  async function save() {
    await notificationActions.chooseMails(member.userId, events)
    await queries.invalidateQueries({ queryKey: notificationsKey() })
  }
  return (
    <FormDialog title={`Mails to ${called(member)}`} submit="Save" onSave={save} onClose={onClose}>
      {() => <EventChoice legend="Mail when" chosen={events} onChange={setEvents} />}
    </FormDialog>
  )
}

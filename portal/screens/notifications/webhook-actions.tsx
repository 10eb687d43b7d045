import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNotNotify } from '../../allowed.ts'
import { Confirm } from '../../confirm.tsx'
import { sentenceOf } from '../../data/errors.ts'
import { notificationActions } from '../../data/notification-actions.ts'
import { notificationsKey, type WebhookEntry } from '../../data/notification-queries.ts'
import { useAsker } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { RadioGroup } from '../../ui/choices.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useWhys } from '../../ui/reasons.tsx'
import type { Once } from '../../use-once.ts'
import { WebhookForm } from './webhook-form.tsx'
import type { WebhookSecret } from './webhook-secret.tsx'

type Question = 'change' | 'secret' | 'delete'

interface Props {
  webhook: WebhookEntry
  /** What it is called. */
  name: string
  secrets: Once<WebhookSecret>
}

/** What an owner can do to one webhook. */
export function WebhookActions({ webhook, name, secrets }: Props) {
  const queries = useQueryClient()
  const asker = useAsker()
  const [question, setQuestion] = useState<Question>()
  const [note, setNote] = useState<{ tone: 'stopped' | 'done'; text: string }>()
  const off = whyNotNotify(asker)
  const offForTest = off ?? (webhook.enabled ? undefined : 'Switch it on to test it.')
  const { idOf, notes } = useWhys([off, offForTest])
  const renew = () => queries.invalidateQueries({ queryKey: notificationsKey() })
  const asked = { webhook, name, onDone: renew, onClose: () => setQuestion(undefined) }
  async function run(action: () => Promise<unknown>, text: string) {
    setNote(undefined)
    try {
      await action()
      await renew()
      setNote({ tone: 'done', text })
    } catch (error) {
      setNote({ tone: 'stopped', text: sentenceOf(error) })
    }
  }
  const test = () =>
    run(() => notificationActions.test(webhook.id), 'A test is on its way. The log below shows how it ends.')
  const toggle = () =>
    run(
      () => notificationActions.change(webhook.id, { enabled: !webhook.enabled }),
      webhook.enabled ? 'It is off: events are not kept for it.' : 'It is on.',
    )
  const actions = [
    { words: 'Test', run: test, why: offForTest },
    { words: 'Change', run: () => setQuestion('change'), why: off },
    { words: 'New secret', run: () => setQuestion('secret'), why: off },
    { words: webhook.enabled ? 'Switch off' : 'Switch on', run: toggle, why: off },
    { words: 'Delete', run: () => setQuestion('delete'), why: off, isDestructive: true },
  ]
  return (
    <div className="row-actions">
      {actions.map(({ words, run, why, isDestructive }) => (
        <Button
          key={words}
          variant="secondary"
          actionType={isDestructive ? 'destructive' : 'normal'}
          name={`${words}: ${name}`}
          offBecause={idOf(why)}
          onClick={run}
        >
          {words}
        </Button>
      ))}
      {notes}
      {note && <Notice tone={note.tone}>{note.text}</Notice>}
      {question === 'change' && <Change {...asked} />}
      {question === 'secret' && <NewSecret {...asked} secrets={secrets} />}
      {question === 'delete' && <Delete {...asked} secrets={secrets} />}
    </div>
  )
}

interface QuestionProps extends Pick<Props, 'webhook' | 'name'> {
  onDone: () => Promise<void>
  onClose: () => void
}

function Change({ webhook, name, onDone, onClose }: QuestionProps) {
  return (
    <WebhookForm
      title={`Change the webhook to ${name}`}
      submit="Save"
      webhook={webhook}
      onSave={async (fields) => {
        await notificationActions.change(webhook.id, fields)
        await onDone()
      }}
      onClose={onClose}
    />
  )
}

const overlaps = [
  {
    value: '24',
    words: 'For another day',
    meaning: 'Until then, messages are signed with both, so that the receiver can change over.',
  },
  { value: '0', words: 'Not at all', meaning: 'For a secret that others may know.' },
] as const

function NewSecret({ webhook, name, secrets, onDone, onClose }: QuestionProps & Pick<Props, 'secrets'>) {
  const [overlap, setOverlap] = useState<'24' | '0'>('24')
  async function rotate() {
    const { secret } = await notificationActions.rotate(webhook.id, Number(overlap))
    secrets.show({ of: webhook.id, name, secret })
    await onDone()
  }
  const title = `A new secret for ${name}?`
  return (
    <Confirm title={title} confirm="Make a new secret" keep="Cancel" onConfirm={rotate} onClose={onClose}>
      {webhook.previousSecretUntil !== null && (
        <p>The secret before the present one ends now. Its receiver has to know the present one.</p>
      )}
      <RadioGroup
        legend="The present secret goes on working"
        value={overlap}
        options={[...overlaps]}
        onChange={setOverlap}
      />
    </Confirm>
  )
}

function Delete({ webhook, name, secrets, onDone, onClose }: QuestionProps & Pick<Props, 'secrets'>) {
  async function remove() {
    await notificationActions.remove(webhook.id)
    secrets.forget(webhook.id)
    await onDone()
  }
  const title = `Delete the webhook to ${name}?`
  return (
    <Confirm title={title} confirm="Delete" destructive onConfirm={remove} onClose={onClose}>
      <p>Its secret and its log are deleted too, and what it has not been sent yet is not sent any more.</p>
    </Confirm>
  )
}

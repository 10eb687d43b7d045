import { useState } from 'react'
import { eventKinds } from '../../../src/contract/event-kinds.ts'
import type { WebhookEntry } from '../../data/notification-queries.ts'
import { FormDialog } from '../../form-dialog.tsx'
import { RadioGroup } from '../../ui/choices.tsx'
import { TextField } from '../../ui/field.tsx'
import { EventChoice } from './event-choice.tsx'

export type WebhookFields = Pick<WebhookEntry, 'url' | 'description' | 'events'>

interface Props {
  title: string
  submit: string
  /** The fields of a new webhook unless given. */
  webhook?: WebhookFields
  onSave: (fields: WebhookFields) => Promise<void>
  onClose: () => void
}

const noWebhook: WebhookFields = { url: '', description: '', events: null }

export function WebhookForm({ title, submit, webhook = noWebhook, onSave, onClose }: Props) {
  const [url, setUrl] = useState(webhook.url)
  const [description, setDescription] = useState(webhook.description)
  const [isEvery, setEvery] = useState(webhook.events === null)
  const [events, setEvents] = useState(webhook.events ?? eventKinds)
  const save = () => onSave({ url, description, events: isEvery ? null : [...events] })
  return (
    <FormDialog title={title} submit={submit} onSave={save} onClose={onClose}>
      {(problems) => (
        <>
          <TextField
            label="Address"
            type="url"
            value={url}
            onChange={setUrl}
            hint="Where messages are sent: https, and reachable from the internet."
            problem={problems.url}
          />
          <TextField
            label="Description"
            value={description}
            onChange={setDescription}
            hint="For your team, such as who receives the messages."
            problem={problems.description}
          />
          <RadioGroup
            legend="Send"
            value={isEvery ? 'every' : 'some'}
            options={[
              { value: 'every', words: 'Every event', meaning: 'Also the kinds that later versions add.' },
              { value: 'some', words: 'Only some' },
            ]}
            onChange={(value) => setEvery(value === 'every')}
          />
          {!isEvery && <EventChoice legend="Which" chosen={events} onChange={setEvents} />}
        </>
      )}
    </FormDialog>
  )
}

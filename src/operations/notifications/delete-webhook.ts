import { z } from 'zod'
import { oneWebhookInput } from '../../contract/notifications.ts'
import { deleteWebhook as deleteRow } from '../../db/notifications/webhooks.ts'
import { changeWebhooks, hostOf, requireWebhook } from '../shared/changing-webhooks.ts'
import { defineOperation } from '../shared/operation.ts'

export const deleteWebhook = defineOperation({
  name: 'delete-webhook',
  summary: 'Delete a webhook with its secrets and its log. What it has not been sent yet is not sent any more.',
  input: oneWebhookInput,
  output: z.undefined(),
  async run({ id }, caller, deps) {
    const { organisationId } = caller
    await changeWebhooks({ operation: 'delete-webhook', caller, deps }, 'webhook.delete', async (tx) => {
      const present = await requireWebhook(tx, organisationId, id)
      await deleteRow(tx, organisationId, id)
      return { changed: undefined, details: { webhookId: id, host: hostOf(present.url) } }
    })
    return undefined
  },
})

import { deliveryId, oneWebhookInput } from '../../contract/notifications.ts'
import { recordTest } from '../../db/notifications/events.ts'
import { changeWebhooks, hostOf, requireWebhook } from '../shared/changing-webhooks.ts'
import { defineOperation } from '../shared/operation.ts'
import { webhookIsOff } from './webhook-is-off.ts'

export const testWebhook = defineOperation({
  name: 'test-webhook',
  summary: 'Send `webhook.test` to a webhook, once. The list of deliveries shows the result a moment later.',
  input: oneWebhookInput,
  output: deliveryId,
  run({ id }, caller, deps) {
    const { organisationId } = caller
    return changeWebhooks({ operation: 'test-webhook', caller, deps }, 'webhook.test', async (tx) => {
      const { url, enabled } = await requireWebhook(tx, organisationId, id)
      if (!enabled) throw webhookIsOff()
      const host = hostOf(url)
      const data = { webhookId: id, host, summaryLine: 'A test, requested by an owner.' }
      const event = { organisationId, webhookId: id, data, at: deps.clock.now() }
      return { changed: { deliveryId: await recordTest(tx, event) }, details: { webhookId: id, host } }
    })
  },
})

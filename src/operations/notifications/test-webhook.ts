import { deliveryId, oneWebhookInput } from '../../contract/notifications.ts'
import { findWaitingTest, recordTest } from '../../db/notifications/events.ts'
import { changeWebhooks, hostOf, requireWebhook } from '../shared/changing-webhooks.ts'
import { defineOperation } from '../shared/operation.ts'
import { webhookIsOff } from './webhook-is-off.ts'

export const testWebhook = defineOperation({
  name: 'test-webhook',
  summary:
    'Send `webhook.test` to a webhook, once. The list of deliveries shows the result a moment later. One that still waits is not sent twice.',
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
      // Messages to a webhook are sent one by one: many tests would hold up its other messages.
      const deliveryId = (await findWaitingTest(tx, event)) ?? (await recordTest(tx, event))
      return { changed: { deliveryId }, details: { webhookId: id, host } }
    })
  },
})

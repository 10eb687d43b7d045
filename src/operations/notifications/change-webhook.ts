import { changeWebhookInput, webhook } from '../../contract/notifications.ts'
import { saveWebhook } from '../../db/notifications/webhooks.ts'
import {
  changeWebhooks,
  describeWebhook,
  hostOf,
  refusePrivate,
  refuseSecondTo,
  requireWebhook,
} from '../shared/changing-webhooks.ts'
import { defineOperation } from '../shared/operation.ts'

export const changeWebhook = defineOperation({
  name: 'change-webhook',
  summary:
    'Change a webhook, or switch it on or off. While it is off, events are not kept for it; switched on, it starts without failures.',
  input: changeWebhookInput,
  output: webhook,
  needsProof: () => true,
  run({ id, ...given }, caller, deps) {
    if (given.url !== undefined) refusePrivate(given.url)
    const { organisationId } = caller
    return changeWebhooks({ operation: 'change-webhook', caller, deps }, 'webhook.change', async (tx) => {
      const present = await requireWebhook(tx, organisationId, id)
      const { url = present.url, description = present.description, enabled = present.enabled } = given
      if (url !== present.url) await refuseSecondTo(tx, organisationId, url)
      const events = given.events === undefined ? present.events : given.events
      const now = deps.clock.now()
      const restarts = (enabled && !present.enabled) || url !== present.url
      await saveWebhook(tx, { id, organisationId, url, description, events, enabled }, { restarts, now })
      const changed = describeWebhook(await requireWebhook(tx, organisationId, id), now)
      return { changed, details: { webhookId: id, host: hostOf(url), enabled } }
    })
  },
})

import { z } from 'zod'
import { oneDeliveryInput } from '../../contract/notifications.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { redeliver as sendAgain } from '../../db/notifications/deliveries.ts'
import { isUuid } from '../../db/runs/runs.ts'
import { changeWebhooks } from '../shared/changing-webhooks.ts'
import { defineOperation } from '../shared/operation.ts'
import { webhookIsOff } from './webhook-is-off.ts'

export const redeliver = defineOperation({
  name: 'redeliver',
  summary:
    'Send a message again, with the same `webhook-id` and a new time, or at once if it waits for its next try. Its tries start over.',
  input: oneDeliveryInput,
  output: z.undefined(),
  async run({ id }, caller, deps) {
    const { organisationId } = caller
    await changeWebhooks({ operation: 'redeliver', caller, deps }, 'notification.redeliver', async (tx) => {
      const found = isUuid(id) ? await sendAgain(tx, { id, organisationId }, deps.clock.now()) : undefined
      if (!found) throw new ServiceError('not_found', 'Your organisation has no delivery with this id.')
      if (!found.enabled) throw webhookIsOff()
      return { changed: undefined, details: { deliveryId: id } }
    })
    return undefined
  },
})

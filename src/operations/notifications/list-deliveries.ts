import { z } from 'zod'
import { type DeliveryEntry, deliveryPage, listDeliveriesInput } from '../../contract/notifications.ts'
import { type DeliveryRow, listDeliveries as listRows } from '../../db/notifications/deliveries.ts'
import { hasWebhook } from '../../db/notifications/webhooks.ts'
import { isUuid } from '../../db/runs/runs.ts'
import { messageId } from '../../notifications/message.ts'
import { noSuchWebhook } from '../shared/changing-webhooks.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { defineOperation } from '../shared/operation.ts'

const position = z.strictObject({ createdAt: z.string(), id: z.string() })

export const listDeliveries = defineOperation({
  name: 'list-deliveries',
  summary: 'What was sent to webhooks and by mail in the last 30 days, newest first, with every try.',
  input: listDeliveriesInput,
  output: deliveryPage,
  async run({ limit, cursor, ...filters }, { organisationId }, { database, keyring }) {
    const cursorScope = { list: 'deliveries', organisationId, filters }
    const after = openCursor(keyring, cursorScope, position, cursor)
    const { webhookId } = filters
    if (webhookId !== undefined && !(isUuid(webhookId) && (await hasWebhook(database, organisationId, webhookId))))
      throw noSuchWebhook()
    const rows = await listRows(database, organisationId, filters, { after, limit: limit + 1 })
    const positionOf = ({ createdAt, id }: DeliveryRow) => ({ createdAt: createdAt.toISOString(), id })
    const { shown, nextCursor } = endPage(keyring, cursorScope, rows, { limit, positionOf })
    return { items: shown.map(describe), nextCursor }
  },
})

function describe(row: DeliveryRow): DeliveryEntry {
  const { id, webhookId, userId, memberName, state, tried } = row
  return {
    id,
    event: { id: messageId(row), type: row.kind, at: row.at.toISOString(), migrationId: row.runId },
    webhookId,
    member: userId === null ? null : { id: userId, name: memberName ?? '' },
    state,
    nextTryAt: state === 'pending' ? row.nextTryAt.toISOString() : null,
    tries: tried,
  }
}

import { z } from 'zod'
import { webhookList } from '../../contract/notifications.ts'
import { listWebhooks as listRows } from '../../db/notifications/webhooks.ts'
import { describeWebhook } from '../shared/changing-webhooks.ts'
import { defineOperation } from '../shared/operation.ts'

export const listWebhooks = defineOperation({
  name: 'list-webhooks',
  summary: 'The webhooks of the organisation, and whether they work.',
  input: z.strictObject({}),
  output: webhookList,
  async run(_, { organisationId }, { database, clock }) {
    const rows = await listRows(database, organisationId)
    return { items: rows.map((row) => describeWebhook(row, clock.now())) }
  },
})

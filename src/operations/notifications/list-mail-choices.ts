import { z } from 'zod'
import { mailChoices } from '../../contract/notifications.ts'
import { listMailChoices as listRows } from '../../db/notifications/mail-choices.ts'
import { defineOperation } from '../shared/operation.ts'

export const listMailChoices = defineOperation({
  name: 'list-mail-choices',
  summary: 'The members of the organisation, and which events each is mailed about.',
  input: z.strictObject({}),
  output: mailChoices,
  async run(_, { organisationId }, { database, mailer }) {
    return { canSend: mailer !== undefined, items: await listRows(database, organisationId) }
  },
})

import { changeMailChoiceInput, mailChoice } from '../../contract/notifications.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { saveMailChoice } from '../../db/notifications/mail-choices.ts'
import { changeWebhooks } from '../shared/changing-webhooks.ts'
import { defineOperation } from '../shared/operation.ts'

export const changeMailChoice = defineOperation({
  name: 'change-mail-choice',
  summary: 'Choose which events a member is mailed about. Only members can be mailed, at their own address.',
  input: changeMailChoiceInput,
  output: mailChoice,
  run({ userId, events }, caller, deps) {
    const { organisationId } = caller
    return changeWebhooks({ operation: 'change-mail-choice', caller, deps }, 'notification.mail', async (tx) => {
      const changed = await saveMailChoice(tx, organisationId, { userId, events })
      if (!changed) throw new ServiceError('not_found', 'No member of your organisation has this id.')
      return { changed, details: { userId, name: changed.name, events: events.join(', ') } }
    })
  },
})

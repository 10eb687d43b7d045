import { randomUUID } from 'node:crypto'
import { createdWebhook, createWebhookInput } from '../../contract/notifications.ts'
import { limits } from '../../contract/primitives/limits.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { holdWritingKey } from '../../db/core/encryption-check.ts'
import { countWebhooks, insertWebhook, saveSecret, webhookSecretContext } from '../../db/notifications/webhooks.ts'
import { newWebhookSecret } from '../../notifications/signature.ts'
import {
  changeWebhooks,
  describeWebhook,
  hostOf,
  refusePrivate,
  refuseSecondTo,
  requireWebhook,
} from '../shared/changing-webhooks.ts'
import { defineOperation } from '../shared/operation.ts'

export const createWebhook = defineOperation({
  name: 'create-webhook',
  summary: 'Send events to an address. The answer holds the secret of its signatures, which is shown only once.',
  input: createWebhookInput,
  output: createdWebhook,
  needsProof: () => true,
  run({ url, description, events }, caller, deps) {
    refusePrivate(url)
    const { organisationId } = caller
    const { clock, keyring } = deps
    return changeWebhooks({ operation: 'create-webhook', caller, deps }, 'webhook.create', async (tx) => {
      const writingKey = await holdWritingKey(tx)
      await refuseSecondTo(tx, organisationId, url)
      if ((await countWebhooks(tx, organisationId)) >= limits.webhooksPerOrganisation) throw tooMany()
      const [id, at, secret] = [randomUUID(), clock.now(), newWebhookSecret()]
      await insertWebhook(tx, { id, organisationId, url, description, events, createdAt: at })
      const seal = (secretId: string) =>
        keyring.encrypt(secret, webhookSecretContext({ id: secretId, organisationId }), writingKey)
      await saveSecret(tx, { organisationId, webhookId: id, at }, { previousUntil: null, seal })
      const webhook = describeWebhook(await requireWebhook(tx, organisationId, id), at)
      return { changed: { webhook, secret }, details: { webhookId: id, host: hostOf(url) } }
    })
  },
})

function tooMany(): ServiceError {
  return new ServiceError(
    'invalid_transition',
    `An organisation has at most ${limits.webhooksPerOrganisation} webhooks. Delete one that you no longer need, then add the new one.`,
  )
}

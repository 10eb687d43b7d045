import { rotatedWebhookSecret, rotateWebhookSecretInput } from '../../contract/notifications.ts'
import { holdWritingKey } from '../../db/core/encryption-check.ts'
import { saveSecret, webhookSecretContext } from '../../db/notifications/webhooks.ts'
import { newWebhookSecret } from '../../notifications/signature.ts'
import { changeWebhooks, hostOf, requireWebhook } from '../shared/changing-webhooks.ts'
import { defineOperation } from '../shared/operation.ts'

export const rotateWebhookSecret = defineOperation({
  name: 'rotate-webhook-secret',
  summary:
    'Give a webhook a new secret, shown only once. Until the overlap ends, messages are signed with both, so that the receiver can change over.',
  input: rotateWebhookSecretInput,
  output: rotatedWebhookSecret,
  needsProof: () => true,
  run({ id, overlapHours }, caller, deps) {
    const { organisationId } = caller
    const { clock, keyring } = deps
    return changeWebhooks({ operation: 'rotate-webhook-secret', caller, deps }, 'webhook.rotate', async (tx) => {
      const writingKey = await holdWritingKey(tx)
      const present = await requireWebhook(tx, organisationId, id)
      const [at, secret] = [clock.now(), newWebhookSecret()]
      const previousUntil = overlapHours === 0 ? null : new Date(at.getTime() + overlapHours * 3_600_000)
      const seal = (secretId: string) =>
        keyring.encrypt(secret, webhookSecretContext({ id: secretId, organisationId }), writingKey)
      await saveSecret(tx, { organisationId, webhookId: id, at }, { previousUntil, seal })
      const changed = { secret, previousUntil: previousUntil?.toISOString() ?? null }
      return { changed, details: { webhookId: id, host: hostOf(present.url), overlapHours } }
    })
  },
})

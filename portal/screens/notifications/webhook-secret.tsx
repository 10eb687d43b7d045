import { SecretOnce } from '../../ui/secret-once.tsx'
import { useKeepHere } from '../../use-keep-here.ts'
import type { Once } from '../../use-once.ts'

export interface WebhookSecret {
  /** The id of the webhook. */
  of: string
  /** What the webhook is called. */
  name: string
  secret: string
}

/** Secrets that were just made. The person has to confirm before leaving them. */
export function WebhookSecretOnce({ secrets: { shown, forget } }: { secrets: Once<WebhookSecret> }) {
  useKeepHere(shown.length > 0, 'The secret is shown only now. Leave without it?')
  return shown.map(({ of, name, secret }) => (
    <SecretOnce
      key={secret}
      title={`Secret for ${name}`}
      values={[{ label: 'Signing secret', value: secret, isSecret: true }]}
      onStored={() => forget(of)}
    >
      The secret is shown only now. The receiver checks with it that messages are from here, with a library of Standard
      Webhooks.
    </SecretOnce>
  ))
}

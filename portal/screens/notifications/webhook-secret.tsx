import { SecretOnce } from '../../ui/secret-once.tsx'
import { useKeepHere } from '../../use-keep-here.ts'

export interface WebhookSecret {
  host: string
  secret: string
}

/** A secret that was just made. The person has to confirm before leaving it. */
export function WebhookSecretOnce({ made, onStored }: { made: WebhookSecret | undefined; onStored: () => void }) {
  useKeepHere(made !== undefined, 'The secret is shown only now. Leave without it?')
  if (!made) return null
  return (
    <SecretOnce
      title={`Secret for ${made.host}`}
      values={[{ label: 'Signing secret', value: made.secret, isSecret: true }]}
      onStored={onStored}
    >
      The secret is shown only now. The receiver checks with it that messages are from here, with a library of Standard
      Webhooks.
    </SecretOnce>
  )
}

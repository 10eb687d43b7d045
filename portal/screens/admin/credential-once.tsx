import type { IssuedCredential } from '../../data/administration.ts'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { useKeepHere } from '../../use-keep-here.ts'
import type { Once } from '../../use-once.ts'

export interface Issued extends IssuedCredential {
  /** The id of the organization. */
  of: string
  organization: string
}

/** Credentials that were just issued. The person has to confirm before leaving them. */
export function CredentialOnce({ credentials: { shown, forget } }: { credentials: Once<Issued> }) {
  useKeepHere(shown.length > 0, 'The secret is shown only now. Leave without it?')
  return shown.map(({ of, organization, clientId, clientSecret }) => (
    <SecretOnce
      key={clientSecret}
      title={`New credential for ${organization}`}
      values={[
        { label: 'Client id', value: clientId },
        { label: 'Client secret', value: clientSecret, isSecret: true },
      ]}
      onStored={() => forget(of)}
    >
      The secret is shown only now. Hand it over by a secure channel, never by email or chat.
    </SecretOnce>
  ))
}

import type { IssuedCredential } from '../../data/administration.ts'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { useKeepHere } from '../../use-keep-here.ts'

export interface Issued extends IssuedCredential {
  organization: string
}

/** A credential that was just issued. The person has to confirm before leaving it. */
export function CredentialOnce({ issued, onStored }: { issued: Issued | undefined; onStored: () => void }) {
  useKeepHere(issued !== undefined, 'The secret is shown only now. Leave without it?')
  if (!issued) return null
  return (
    <SecretOnce
      title={`New credential for ${issued.organization}`}
      values={[
        { label: 'Client id', value: issued.clientId },
        { label: 'Client secret', value: issued.clientSecret, isSecret: true },
      ]}
      onStored={onStored}
    >
      The secret is shown only now. Hand it over by a secure channel, never by email or chat.
    </SecretOnce>
  )
}

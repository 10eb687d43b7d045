import { useSuspenseQuery } from '@tanstack/react-query'
import type { Asker } from './allowed.ts'
import { chooseOrganization, chosenOrganization } from './data/client.ts'
import { type Session, sessionQuery } from './data/queries.ts'
import { useOnline } from './online.ts'
import { paths } from './paths.ts'

export type Organization = Session['organizations'][number]

/** The chosen organization, or the first one. It is remembered, so that every request can name it. */
export function settleOrganization({ organizations }: Session): Organization | undefined {
  const organization = organizations.find(({ id }) => id === chosenOrganization()) ?? organizations[0]
  if (organization) chooseOrganization(organization.id)
  return organization
}

export function useSession(): Session & { organization: Organization | undefined } {
  const { data } = useSuspenseQuery(sessionQuery)
  return { ...data, organization: settleOrganization(data) }
}

/** The person, for the functions of `allowed.ts`. Without an organization nothing calls them. */
export function useAsker(): Asker {
  const { organization } = useSession()
  const isOnline = useOnline()
  return { role: organization?.role ?? 'viewer', owners: organization?.owners ?? [], isOnline }
}

/**
 * Switches this tab to another organization, and opens Home, or the same address if it may be there. The page is loaded
 * anew: a screen of one organization, which stays until the next is there, would ask for its data in the other.
 */
export function switchOrganization(id: string, isHere = false): void {
  if (isHere) {
    chooseOrganization(id)
    location.reload()
  }
  // Home selects it. A person who stays, because of a secret that is shown, has to stay in the organization, too.
  else location.assign(`${paths.home}?org=${id}`)
}

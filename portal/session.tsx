import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { Asker } from './allowed.ts'
import { chooseOrganization, chosenOrganization } from './data/client.ts'
import { type Session, sessionQuery } from './data/queries.ts'
import { useOnline } from './online.ts'

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

/** Switches this tab to another organization, and opens Home, or the same address if it may be there. */
export function useSwitchOrganization(): (id: string, isHere?: boolean) => Promise<void> {
  const router = useRouter()
  const queries = useQueryClient()
  return async (id, isHere = false) => {
    if (isHere) chooseOrganization(id)
    // Home selects it. A person who stays, because of a secret that is shown, has to stay in the organization, too.
    else await router.navigate({ href: `/app?org=${id}` })
    if (chosenOrganization() !== id) return
    queries.removeQueries({
      predicate: ({ queryKey }) => !['session', 'entities', 'admin', id].includes(String(queryKey[0])),
    })
    await router.invalidate()
  }
}

import type { ServiceClient } from './service-client.ts'

interface Parts {
  phase?: string | undefined
  component?: string | undefined
}

interface Entity {
  key: string
  components: { key: string }[]
}

/** For an empty list: under a misspelled name it would say that all is well. */
export async function refuseUnknownParts(client: ServiceClient, { phase, component }: Parts): Promise<void> {
  if (phase === undefined && component === undefined) return
  const { items } = await client.get<{ items: Entity[] }>('/v2/entities')
  if (phase !== undefined && !items.some(({ key }) => key === phase))
    throw new Error(`There is no phase ${phase}; "storeferry entities" lists the keys of all phases.`)
  if (component === undefined || items.some(({ components }) => components.some(({ key }) => key === component))) return
  throw new Error(`There is no component ${component}; "storeferry entities <key>" lists those of a phase.`)
}

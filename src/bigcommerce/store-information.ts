import { z } from 'zod'
import type { StoreClient } from './client.ts'
import { CredentialsError, MissingScopeError, PlatformError, StoreUnreachableError } from './errors.ts'
import type { Query } from './query.ts'

/**
 * A store's own description. Loose, because the platform adds fields; only the identifying ones are required.
 * Source: store_information.v2, `GET /v2/store`.
 */
export const storeInformation = z.looseObject({
  /** The store hash, as the platform spells it. */
  id: z.string(),
  name: z.string(),
  domain: z.string(),
  secure_url: z.string().optional(),
  control_panel_base_url: z.string().optional(),
  status: z.string().optional(),
  plan_name: z.string().optional(),
  plan_level: z.string().optional(),
  plan_is_trial: z.boolean().optional(),
  country_code: z.string().optional(),
  language: z.string().optional(),
  /** Code of the default currency. */
  currency: z.string().optional(),
  weight_units: z.string().optional(),
  dimension_units: z.string().optional(),
  is_price_entered_with_tax: z.boolean().optional(),
  default_channel_id: z.number().optional(),
  default_site_id: z.number().optional(),
  features: z
    .looseObject({
      multi_storefront_enabled: z.boolean().optional(),
      storefront_limits: z.looseObject({ active: z.number().optional() }).nullish(),
    })
    .optional(),
})

export type StoreInformation = z.infer<typeof storeInformation>

/** @throws CredentialsError for a wrong token, MissingScopeError when the token may not read store information. */
export async function readStoreInformation(
  client: StoreClient,
  options: { signal?: AbortSignal } = {},
): Promise<StoreInformation> {
  const { body } = await client.get('/v2/store', {}, options)
  return storeInformation.parse(body)
}

export interface ScopeProbe {
  /** The scope the merchant has to grant, in its read-only form. */
  scope: string
  /** A call that needs this scope and takes one unit of quota. */
  path: string
  query?: Query
}

/** The scopes that copying a catalogue needs. Source: the securitySchemes text of each OpenAPI file. */
export const catalogueProbes: readonly ScopeProbe[] = [
  { scope: 'store_v2_products_read_only', path: '/v3/catalog/products', query: { limit: 1 } },
  { scope: 'store_v2_products_read_only', path: '/v3/catalog/trees' },
  { scope: 'store_channel_settings_read_only', path: '/v3/channels', query: { limit: 1 } },
]

export interface MissingScope extends ScopeProbe {
  /** The platform's message; mark it as such when showing it. */
  title: string
}

/**
 * The read scopes that the token lacks; empty if none. Write access can only be tested by writing.
 *
 * @throws CredentialsError when the token is not accepted.
 */
export async function probeScopes(
  client: StoreClient,
  { probes = catalogueProbes, signal }: { probes?: readonly ScopeProbe[]; signal?: AbortSignal } = {},
): Promise<MissingScope[]> {
  const found = await Promise.all(probes.map((probe) => refusalOf(client, probe, signal)))
  return found.filter((missing) => missing !== null)
}

async function refusalOf(client: StoreClient, probe: ScopeProbe, signal?: AbortSignal): Promise<MissingScope | null> {
  try {
    await client.get(probe.path, probe.query, { signal })
    return null
  } catch (error) {
    if (error instanceof MissingScopeError) return { ...probe, title: error.title }
    if (error instanceof CredentialsError) throw error
    // The store has answered before, so any other failure of this one call says nothing about scopes.
    if (error instanceof PlatformError || error instanceof StoreUnreachableError) return null
    throw error
  }
}

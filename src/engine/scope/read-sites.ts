import { z } from 'zod'
import { CredentialsError } from '../../bigcommerce/errors.ts'
import { offsetPages } from '../../bigcommerce/pages.ts'
import { entities } from '../../entities/registry.ts'
import type { OpenRun } from '../context/open-run.ts'
import { refusalOf } from '../preflight/enter-stores.ts'

/** Other lists have been seen to give ids as strings. */
const id = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)])

const site = z.looseObject({
  id,
  channel_id: id,
  url: z.string(),
  urls: z.array(z.looseObject({ url: z.string(), type: z.string() })).nullish(),
})

/** A channel has one site or none. */
export type PlatformSite = z.infer<typeof site>

/** The sites of both stores; null where a store refuses them. */
export interface Sites {
  source: PlatformSite[] | null
  destination: PlatformSite[] | null
  /** Why one of them is null. */
  refusal?: unknown
}

/** Whether the run copies something that belongs to sites. */
export function liesOnSites({ run }: Pick<OpenRun, 'run'>): boolean {
  return entities.some(
    ({ key, passes }) => run.phases.includes(key) && passes.some(({ about }) => about?.component === 'sites'),
  )
}

type SiteReader = Pick<OpenRun, 'run' | 'source' | 'destination' | 'stores'> & { lease: { stop: AbortSignal } }

export async function readSites(context: SiteReader): Promise<Sites> {
  const [source, destination] = await Promise.all([sitesOf(context, 'source'), sitesOf(context, 'destination')])
  return { source: source.sites, destination: destination.sites, refusal: source.refusal ?? destination.refusal }
}

interface SitesOfStore {
  sites: PlatformSite[] | null
  refusal: unknown
}

async function sitesOf(context: SiteReader, side: 'source' | 'destination'): Promise<SitesOfStore> {
  const pages = offsetPages<unknown>(context[side], '/v3/sites', {}, { signal: context.lease.stop })
  const sites: PlatformSite[] = []
  try {
    for await (const { items } of pages) sites.push(...items.map((item) => site.parse(item)))
  } catch (error) {
    if (error instanceof CredentialsError || !(await refusalOf(context, error))) throw error
    return { sites: null, refusal: error }
  }
  return { sites, refusal: null }
}

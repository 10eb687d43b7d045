import { z } from 'zod'
import { CredentialsError, PlatformError } from '../../bigcommerce/errors.ts'
import { offsetPages } from '../../bigcommerce/pages.ts'
import { entities } from '../../entities/registry.ts'
import type { OpenRun } from '../context/open-run.ts'

const site = z.looseObject({
  id: z.int(),
  channel_id: z.int(),
  url: z.string(),
  urls: z.array(z.looseObject({ url: z.string(), type: z.string() })).nullish(),
})

/** A channel has one site or none. */
export type PlatformSite = z.infer<typeof site>

/** Null where the token may not read them. */
export interface Sites {
  source: PlatformSite[] | null
  destination: PlatformSite[] | null
}

/** Whether the run copies something that belongs to sites. */
export function liesOnSites({ run }: Pick<OpenRun, 'run'>): boolean {
  return entities.some(
    ({ key, passes }) => run.phases.includes(key) && passes.some(({ about }) => about?.component === 'sites'),
  )
}

type SiteReader = Pick<OpenRun, 'run' | 'source' | 'destination'> & { lease: { stop: AbortSignal } }

/** @throws PlatformError when a store refuses, and the run copies something that belongs to sites */
export async function readSites(context: SiteReader): Promise<Sites> {
  const [source, destination] = await Promise.all([sitesOf(context, 'source'), sitesOf(context, 'destination')])
  return { source, destination }
}

async function sitesOf(context: SiteReader, side: 'source' | 'destination'): Promise<PlatformSite[] | null> {
  const pages = offsetPages<unknown>(context[side], '/v3/sites', {}, { signal: context.lease.stop })
  const sites: PlatformSite[] = []
  try {
    for await (const { items } of pages) sites.push(...items.map((item) => site.parse(item)))
  } catch (error) {
    if (error instanceof PlatformError && !(error instanceof CredentialsError) && !liesOnSites(context)) return null
    throw error
  }
  return sites
}

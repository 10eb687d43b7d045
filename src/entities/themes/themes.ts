import { PlatformError, UnconfirmedWriteError } from '../../bigcommerce/errors.ts'
import { endOfThemeJob, jobIdIn } from '../../bigcommerce/theme-jobs.ts'
import type { NotSent, StoreAccess } from '../core/calls.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import type { Reading } from '../core/reading.ts'
import { allThemes, ownTheme, platformTheme, shownThemes, themeKey, themesAt } from './theme-lists.ts'
import { themesScope } from './themes-scope.ts'

export const themesKey = 'themes'
const path = '/v3/themes'

/** The platform accepts no larger theme. Source: BigCommerce's own theme tool. */
const largestBytes = 50 * 1024 * 1024
/** A download link is valid for a minute, so a slow download needs a new one. */
const mostDownloads = 3

function themeDraft(item: PlatformItem): Draft {
  const name = String(item.name)
  // The content of a theme cannot be read, so there is nothing to compare.
  return draft(themesKey, item.uuid, { name }, { compare: {}, keys: [themeKey(item)], name })
}

const refused = (title: string, errors: Record<string, string> = {}): NotSent => ({ refused: { title, errors } })
const notGiven = (title: string, errors: Record<string, string> = {}): NotSent => ({
  refused: { title, errors, bySource: true },
})

/** The theme as a file, with the settings last activated. */
async function archiveOf({ id, name }: Draft, stores: StoreAccess) {
  for (let downloads = 1; downloads <= mostDownloads; downloads++) {
    const address = await linkTo(id, stores)
    if (typeof address !== 'string') return address
    const bytes = await stores.fetch(address, largestBytes)
    if (!bytes) continue
    return { form: { field: 'file', fileName: `${name}.zip`, contentType: 'application/zip', bytes } }
  }
  return notGiven('The link to its file gave nothing', {
    theme: `no file, or one of more than ${largestBytes} bytes, ${mostDownloads} times in a row`,
  })
}

/** A link that serves the file for a minute, or the reason why there is none. */
async function linkTo(uuid: string, stores: StoreAccess): Promise<string | NotSent> {
  const jobId = await askForDownload(uuid, stores)
  if (typeof jobId !== 'string') return jobId
  const end = await endOfThemeJob(stores.source, jobId, stores.wait)
  if ('failed' in end) return notGiven('The source store did not give its theme', { theme: end.failed })
  const address = end.result.download_url
  return typeof address === 'string' ? address : notGiven('The source store did not say where its theme is')
}

/** The only read that is not a GET. It changes nothing, so it is repeated if there is no response. */
async function askForDownload(uuid: string, { source }: StoreAccess): Promise<string | NotSent> {
  for (let tries = 1; ; tries++) {
    try {
      const request = {
        method: 'POST' as const,
        path: `${path}/${uuid}/actions/download`,
        body: { which: 'last_activated' },
      }
      const { body } = await source.write(request)
      return jobIdIn(body) ?? notGiven('The source store did not say how its theme is to be had')
    } catch (error) {
      if (error instanceof UnconfirmedWriteError && tries < mostDownloads) continue
      if (error instanceof UnconfirmedWriteError)
        return notGiven('The source store did not answer when asked for its theme')
      if (!(error instanceof PlatformError) || error.httpStatus === 401) throw error
      return notGiven('The source store does not give its theme', { theme: error.title || error.message })
    }
  }
}

/** Finds the uploaded theme in the list, because the response contains only the job. */
async function uploaded({ destination, wait }: StoreAccess, body: unknown): Promise<{ body: unknown } | NotSent> {
  const jobId = jobIdIn(body)
  if (jobId === undefined) return refused('The platform did not name the job of the upload')
  const end = await endOfThemeJob(destination, jobId, wait)
  if ('failed' in end) return refused('The platform did not take the theme', { theme: end.failed })
  const theme = (await themesAt(destination, {})).find(({ uuid }) => uuid === end.result.theme_id)
  return theme ? { body: { data: theme } } : refused('The platform took the theme, and does not list it')
}

const theme: Component = {
  key: themesKey,
  label: 'Themes',
  data: 'catalogue',
  recovery: 'baseline',
  naturalKey: 'name, and whether it is the merchant’s own',
  destinationOwned: [],
  carried: false,
  create: {
    batch: 1,
    call: ([only]) => ({
      method: 'POST',
      path,
      heavy: true,
      prepare: async (stores) => (only ? archiveOf(only.draft, stores) : refused('There is no theme')),
    }),
    finish: uploaded,
  },
  // An uploaded theme belongs to the merchant, even if it was a platform theme at the source.
  probe: async (client, { keys }) => {
    const sought = new Set(keys.flat())
    return (await themesAt(client, {}))
      .filter(({ is_private }) => is_private === true)
      .map((item) => {
        const foreign = `${platformTheme}${item.name}`
        return { ...themeDraft(item), keys: [sought.has(foreign) ? foreign : `${ownTheme}${item.name}`] }
      })
  },
  callsPerItem: { write: 1 },
}

const reading: Reading = {
  path,
  kind: 'staged',
  limit: 250,
  idField: 'uuid',
  pages: shownThemes,
  usually: 1,
  walkCalls: { once: 1, perStorefront: 1 },
}

export const themes = defineEntity({
  key: themesKey,
  label: 'Themes',
  group: 'storefront',
  after: [],
  scope: 'store',
  prune: 'never',
  optIn: ['upload', 'activate'],
  components: [theme],
  scopes: [{ ...themesScope, below: [path], probe: { path, query: {} } }],
  notMoved: [
    {
      what: 'themes that no storefront shows',
      why: 'a store may have 20, and those of the destination are not ours to delete',
    },
    {
      what: 'changes to a theme that the destination has already',
      why: 'the platform does not show what a theme is made of: one of the same name counts as the same; rename it at the source to have both',
    },
    {
      what: 'settings of the style editor but those that were activated last',
      why: 'they are in the file that the platform gives away; there is no call to write settings, so two storefronts that show one theme with different settings get the same',
    },
    {
      what: 'bought themes whose file the platform does not give away',
      why: 'each is reported; buy or install it at the destination under the same name',
    },
  ],
  passes: [
    {
      key: themesKey,
      label: 'Themes',
      root: themesKey,
      source: reading,
      storefront: ({ channelId }) => ({ channel_id: channelId }),
      destination: { ...reading, pages: allThemes, walkCalls: { once: 1 }, complete: true },
      lookupOnly: true,
      drafts: themeDraft,
    },
  ],
})

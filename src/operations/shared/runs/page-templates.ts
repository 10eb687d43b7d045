import type { StoreClient } from '../../../bigcommerce/client.ts'
import { PlatformError } from '../../../bigcommerce/errors.ts'
import type { PageTemplate, PickedIds } from '../../../contract/selection.ts'
import {
  everyPage,
  everySiteWide,
  home,
  type PageTarget,
  pageTargetId,
  pageTargets,
} from '../../../entities/content/page-contexts.ts'
import { globalWidgetsKey, pageWidgetsKey, typeOfFile } from '../../../entities/content/page-widgets.ts'
import { themedChannels } from '../../../entities/core/storefront-channels.ts'
import { refuseIfAny } from './run-scope.ts'

type StoreReader = Pick<StoreClient, 'get'>
type Errors = Record<string, string[]>

const pathOf = (at: number, field: string) => `selection.pageTemplates.${at}.${field}`

/**
 * Makes the checks that need no store.
 * @throws ServiceError `validation_failed` by path
 */
export function refuseWrongTemplates(picks: PageTemplate[] | undefined, named: string[] | undefined): void {
  if (!picks) return
  const errors: Errors = {}
  if (named && !named.includes(pageWidgetsKey))
    errors['selection.pageTemplates'] = [`Add "${pageWidgetsKey}" to the entities, or leave out these picks.`]
  const files = picks.map(({ file }) => file)
  for (const [at, { file, entityIds }] of picks.entries()) {
    if (files.indexOf(file) !== at) errors[pathOf(at, 'file')] = ['Given twice; put all its items into one pick.']
    if (entityIds && !typeOfFile(file))
      errors[pathOf(at, 'entityIds')] = [`Pages of ${file} belong to no items; leave out these ids.`]
  }
  refuseIfAny(errors)
}

/**
 * Finds the picked pages in the source.
 *
 * @throws ServiceError `validation_failed` by path for a file that the theme does not have, or for an item without
 * widgets on its page
 */
export async function pickPages(
  client: StoreReader,
  picks: PageTemplate[] | undefined,
  { channelId, signal }: { channelId: number | undefined; signal: AbortSignal },
): Promise<PickedIds> {
  if (!picks) return {}
  const channels = await themedChannels(client, channelId, { signal })
  const targets = (await Promise.all(channels.map((id) => pageTargets(client, id, { signal })))).flat()
  const errors: Errors = {}
  for (const [at, pick] of picks.entries()) await findFaults(client, channels, targets, at, pick, errors, signal)
  refuseIfAny(errors)
  // Without item ids, every page of the file is picked. With a list instead of a set, many ids would take seconds.
  const meant = picks.map(({ file, entityIds }) => ({ file, ids: entityIds && new Set(entityIds) }))
  const pages = targets.filter((page) =>
    meant.some(({ file, ids }) => page.file === file && (ids?.has(page.entityId) ?? true)),
  )
  const globals = picks.some((pick) => pick.globals)
    ? channels.map((id) => pageTargetId({ channelId: id, file: '', entityId: '' }))
    : []
  const shared = await withContent(client, everySiteWide, globals, signal)
  const [unsure, sure] = [pages.filter(({ file }) => file === home), pages.filter(({ file }) => file !== home)]
  const filled = [
    ...(await withContent(client, everyPage, unsure.map(pageTargetId), signal)),
    ...sure.map(pageTargetId),
  ]
  return {
    ...(filled.length > 0 && { [pageWidgetsKey]: { ids: filled } }),
    ...(shared.length > 0 && { [globalWidgetsKey]: { ids: shared } }),
  }
}

async function findFaults(
  client: StoreReader,
  channels: number[],
  pages: PageTarget[],
  at: number,
  { file, entityIds }: PageTemplate,
  errors: Errors,
  signal: AbortSignal,
): Promise<void> {
  const own = pages.filter((page) => page.file === file)
  if (own.length === 0 && !(await isInTheme(client, channels, file, signal))) {
    errors[pathOf(at, 'file')] = ['The active theme of the source has no such template file.']
    return
  }
  const known = new Set(own.map(({ entityId }) => entityId))
  for (const [n, id] of (entityIds ?? []).entries())
    if (!known.has(id)) errors[pathOf(at, `entityIds.${n}`)] = ['The page of this item has no widgets of its own.']
}

async function isInTheme(client: StoreReader, channels: number[], file: string, signal: AbortSignal): Promise<boolean> {
  for (const channel_id of channels)
    try {
      await client.get('/v3/content/regions', { template_file: file, channel_id }, { signal })
      return true
    } catch (error) {
      if (!(error instanceof PlatformError) || ![404, 422].includes(error.httpStatus)) throw error
    }
  return false
}

/** Leaves out pages that turn out to be empty. */
async function withContent(
  client: StoreReader,
  walk: typeof everyPage,
  ids: string[],
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = []
  if (ids.length === 0) return found
  for await (const { items } of walk(client, '', { pages: ids.join(',') }, { signal }))
    found.push(...items.map(({ id }) => String(id)))
  return found
}

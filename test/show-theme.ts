import { callStore } from './engine/call-store.ts'
import { until } from './harness/until.ts'
import type { World } from './harness/world.ts'
import type { StoreName } from './harness/world-sandbox.ts'
import { type ThemeWish, themeArchive, themeForm } from './theme-archives.ts'

type Stores = Pick<World, 'address' | 'state'>

export interface ShownTheme {
  uuid: string
  name: string
  is_private: boolean
  is_active: boolean
  variations: { uuid: string; name: string }[]
}

export function themesOf(stores: Pick<Stores, 'address'>, store: StoreName): Promise<ShownTheme[]> {
  return callStore<ShownTheme[]>(stores, store, 'GET', '/v3/themes')
}

/** Uploads a merchant's own theme to a shop (the source by default) and activates it on a storefront. */
export async function showTheme(
  stores: Pick<Stores, 'address'>,
  wish: ThemeWish,
  {
    store = 'source',
    variation = 0,
    channelId = 1,
  }: { store?: StoreName; variation?: number; channelId?: number } = {},
): Promise<ShownTheme> {
  const { url, token } = stores.address(store)
  const answer = await fetch(`${url}/v3/themes`, {
    method: 'POST',
    headers: { 'x-auth-token': token },
    body: themeForm(themeArchive(wish)),
  })
  const { job_id } = (await answer.json()) as { job_id: string }
  const theme = await until(
    `the theme ${wish.name} is there`,
    async () => {
      type Job = { result: { theme_id?: string } }
      const { result } = await callStore<Job>(stores, store, 'GET', `/v3/themes/jobs/${job_id}`)
      return (await themesOf(stores, store)).find(({ uuid }) => uuid === result.theme_id) ?? false
    },
    { seconds: 20 },
  )
  const body = { variation_id: theme.variations[variation]?.uuid }
  await callStore(stores, store, 'POST', `/v3/themes/actions/activate?channel_id=${channelId}`, body)
  return theme
}

/** The theme and the variation that a storefront shows. */
export async function shownAt(stores: Pick<Stores, 'address'>, store: StoreName, channelId = 1): Promise<string> {
  const active = await callStore(stores, store, 'GET', `/v3/channels/${channelId}/active-theme`)
  const path = `/v3/themes/${active.active_theme_uuid}/configurations?uuid:in=${active.active_theme_configuration_uuid}`
  const [configuration] = await callStore<{ variation_id: string }[]>(stores, store, 'GET', path)
  const theme = (await themesOf(stores, store)).find(({ uuid }) => uuid === active.active_theme_uuid)
  return `${theme?.name} ${theme?.variations.find(({ uuid }) => uuid === configuration?.variation_id)?.name}`
}

/** With the files for single items that every store's theme has, so that whatever is shown by them goes on being shown. */
export async function likeTheBornOne(stores: Pick<Stores, 'state'>): Promise<ThemeWish> {
  const { theme_custom_templates: rows = [] } = await stores.state('source')
  const files = rows.map(({ entity_type, file_name }) => `${entity_type}/${file_name}`)
  return { name: 'Lumen', files, settings: { colour: 'blue' } }
}

import { expect, test } from 'vitest'
import { pngFor } from '../../sandbox/images/images.ts'
import { SETTING_GROUPS } from '../../sandbox/resources/settings/setting-groups.ts'
import { aProductWorld } from './product-world.ts'

const PROFILE = '/v3/settings/store/profile'
const CATALOG = '/v3/settings/catalog'
const LOCALE = '/v3/settings/store/locale'

test('a new store has every group of settings, and accepts what it returns', async () => {
  const { call, get } = await aProductWorld()
  for (const { path } of SETTING_GROUPS) {
    const { status, body } = await get(`/v3/settings/${path}`)
    expect([path, status, Object.values(body.data).includes(null)]).toEqual([path, 200, false])
    expect([path, (await call('PUT', `/v3/settings/${path}`, body.data)).body.data]).toEqual([path, body.data])
  }
})

test('a setting is changed and the others stay', async () => {
  const { call, get } = await aProductWorld()
  const before = (await get(PROFILE)).body.data
  expect(before).toMatchObject({ store_name: 'shop', store_address_type: 'Home Office' })
  await call('PUT', PROFILE, { store_name: 'Corner Shop' })
  expect((await get(PROFILE)).body.data).toEqual({ ...before, store_name: 'Corner Shop' })
})

test('a channel shows null for what it inherits, and a PUT replaces all its overrides', async () => {
  const { call, get } = await aProductWorld()
  const ofChannel = `${CATALOG}?channel_id=1`
  const nothing = { auto_approve_reviews: null, enable_product_comparisons: null }
  expect((await get(ofChannel)).body.data).toEqual(nothing)
  await call('PUT', ofChannel, { auto_approve_reviews: true, enable_product_comparisons: false })
  expect((await get(ofChannel)).body.data).toEqual({ auto_approve_reviews: true, enable_product_comparisons: false })
  expect((await get(CATALOG)).body.data).toEqual({ auto_approve_reviews: false, enable_product_comparisons: true })
  await call('PUT', ofChannel, { enable_product_comparisons: false })
  expect((await get(ofChannel)).body.data).toEqual({ ...nothing, enable_product_comparisons: false })
  await call('PUT', ofChannel, nothing)
  expect((await get(ofChannel)).body.data).toEqual(nothing)
})

test('null for the whole store, an unknown choice and a missing language are 422, an unknown channel is 404', async () => {
  const { call, get } = await aProductWorld()
  expect((await call('PUT', CATALOG, { auto_approve_reviews: null })).status).toBe(422)
  expect((await call('PUT', PROFILE, { store_address_type: 'Moon' })).status).toBe(422)
  expect((await call('PUT', LOCALE, { store_country: 'France' })).status).toBe(422)
  expect((await call('PUT', LOCALE, { default_shopper_language: 'fr' })).status).toBe(200)
  expect((await get(`${CATALOG}?channel_id=7`)).status).toBe(404)
})

test('the locale is the same for all channels', async () => {
  const { call, get } = await aProductWorld()
  await call('PUT', `${LOCALE}?channel_id=1`, { default_shopper_language: 'fr' })
  expect((await get(LOCALE)).body.data.default_shopper_language).toBe('fr')
})

const SECURITY = '/v3/settings/storefront/security'

test('nested settings are changed one by one, and a channel overrides all of them', async () => {
  const { call, get } = await aProductWorld()
  const before = (await get(SECURITY)).body.data
  const put = await call('PUT', SECURITY, { hsts: { enabled: true }, csp_header: { header_value: 'default-src' } })
  const after = { ...before, hsts: { ...before.hsts, enabled: true } }
  expect(put.body.data).toEqual({ ...after, csp_header: { enabled: false, header_value: 'default-src' } })
  await call('PUT', SECURITY, { csp_header: { enabled: true } })
  expect((await get(SECURITY)).body.data.csp_header).toEqual({ enabled: true, header_value: 'default-src' })
  expect((await call('PUT', SECURITY, { hsts: { max_age: 'one_hour' } })).body.errors).toHaveProperty(['hsts.max_age'])
  expect((await call('PUT', SECURITY, { hsts: 'on' })).status).toBe(422)
  const ofChannel = `${SECURITY}?channel_id=1`
  const nothing = { csp_header: null, hsts: null, sitewide_https_enabled: null, x_frame_options_header: null }
  expect((await get(ofChannel)).body.data).toEqual(nothing)
  const hsts = { enabled: false, include_preload: false, include_subdomains: true, max_age: 'one_year' }
  expect((await call('PUT', ofChannel, { hsts })).body.data).toEqual({ ...nothing, hsts })
  expect((await call('PUT', ofChannel, nothing)).body.data).toEqual(nothing)
})

const LOGO = '/v3/settings/logo'

function uploaded(field: string, fileName: string, bytes: Uint8Array = pngFor(fileName)): FormData {
  const form = new FormData()
  form.set(field, new Blob([new Uint8Array(bytes)]), fileName)
  return form
}

test('a logo and a favicon are uploaded for the store or a channel, shown by address and served unchanged', async () => {
  const { call, get } = await aProductWorld()
  expect((await get(LOGO)).body.data).toMatchObject({ logo_image_url: '', favicon_url: '', logo_text: '' })
  expect((await call('POST', `${LOGO}/image`, uploaded('LogoFile', 'logo.png'))).status).toBe(204)
  expect((await call('POST', '/v3/settings/favicon/image', uploaded('FaviconFile', 'icon.png'))).status).toBe(204)
  const { logo_image_url, favicon_url } = (await get(LOGO)).body.data
  expect(Buffer.from(await (await fetch(logo_image_url)).arrayBuffer())).toEqual(pngFor('logo.png'))
  expect(Buffer.from(await (await fetch(favicon_url)).arrayBuffer())).toEqual(pngFor('icon.png'))
  expect((await get('/v2/store')).body).toMatchObject({ logo: { url: logo_image_url }, favicon_url })
  expect((await call('PUT', LOGO, { logo_text: 'Corner Shop' })).body.data).toMatchObject({
    logo_image_url,
    favicon_url,
  })
  const ofChannel = { favicon_url: null, logo_image_url: null, logo_text: null, type: null }
  expect((await get(`${LOGO}?channel_id=1`)).body.data).toEqual(ofChannel)
  await call('POST', `${LOGO}/image?channel_id=1`, uploaded('LogoFile', 'other.png'))
  expect((await get(`${LOGO}?channel_id=1`)).body.data.logo_image_url).toContain('other')
  expect((await get(LOGO)).body.data.logo_image_url).toBe(logo_image_url)
})

test('an upload that is not a GIF, JPEG or PNG, exceeds 10 MB or is in another field is 422', async () => {
  const { call } = await aProductWorld()
  const status = async (form: FormData) => (await call('POST', '/v3/settings/favicon/image', form)).status
  const large = (bytes: number) => Buffer.concat([pngFor('icon.png'), Buffer.alloc(bytes - pngFor('icon.png').length)])
  expect(await status(uploaded('FaviconFile', 'icon.png', Buffer.from('no picture')))).toBe(422)
  expect(await status(uploaded('FaviconFile', 'icon.png', Buffer.from('RIFF0000WEBPVP8 ')))).toBe(422)
  expect(await status(uploaded('LogoFile', 'icon.png'))).toBe(422)
  expect(await status(uploaded('FaviconFile', 'icon.png', large(10 * 1024 * 1024 + 1)))).toBe(422)
  expect(await status(uploaded('FaviconFile', 'icon.png', large(10 * 1024 * 1024)))).toBe(204)
})

test('a provider of analytics is read without an envelope and set for each channel', async () => {
  const { call, get } = await aProductWorld()
  const analytics = '/v3/settings/analytics'
  const [first] = (await get(analytics)).body.data
  expect(first).toMatchObject({ channel_id: 1, enabled: false, code: '' })
  const path = `${analytics}/${first.id}`
  expect((await get(path)).body).toEqual(first)
  const { id } = (await call('POST', '/v3/channels', { name: 'second', type: 'storefront', platform: 'custom' })).body
    .data
  const set = await call('PUT', `${path}?channel_id=${id}`, { code: 'G-7', enabled: true })
  expect(set.body).toEqual({ ...first, channel_id: id, code: 'G-7', enabled: true })
  expect((await get(`${analytics}?channel_id=${id}`)).body.data[0]).toEqual(set.body)
  expect((await get(path)).body).toEqual(first)
  expect((await call('PUT', path, { code: '' })).status).toBe(422)
  expect((await get(`${analytics}/99`)).status).toBe(404)
})

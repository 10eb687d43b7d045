import { expect, test } from 'vitest'
import { pngFor } from '../../sandbox/images/images.ts'
import { PRODUCTS, variant } from './a-shop.ts'
import { pictureForm } from './picture-form.ts'
import { aProductWorld } from './product-world.ts'

const GIF = Buffer.from('GIF89a with some pixels', 'latin1')
const BMP = Buffer.from('BM and a bitmap', 'latin1')

type World = Awaited<ReturnType<typeof aProductWorld>>

async function bytesAt(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer())
}

/** Owners whose picture is uploaded by form only, and the path of a new one. */
const FORM_ONLY: [string, (world: World) => string | Promise<string>][] = [
  ['category', ({ aCategory }) => `/v3/catalog/categories/${aCategory('Lamps')}`],
  ['brand', ({ aBrand }) => `/v3/catalog/brands/${aBrand('Lumen')}`],
]

test.each(
  FORM_ONLY,
)('the picture of a %s is uploaded by form, shown by address and served unchanged', async (_name, pathIn) => {
  const world = await aProductWorld()
  const path = await pathIn(world)
  const answer = await world.call('POST', `${path}/image`, pictureForm('night lamp.gif', GIF))
  expect(answer.status).toBe(200)
  const { image_url } = answer.body.data
  expect((await world.get(path)).body.data.image_url).toBe(image_url)
  expect(await bytesAt(image_url)).toEqual(GIF)
  expect((await fetch(image_url)).headers.get('content-type')).toBe('image/gif')
})

test.each(FORM_ONLY)('the picture of a %s is deleted with 204', async (_name, pathIn) => {
  const world = await aProductWorld()
  const path = await pathIn(world)
  await world.call('POST', `${path}/image`, pictureForm('lamp.png'))
  expect((await world.call('DELETE', `${path}/image`)).status).toBe(204)
  expect((await world.get(path)).body.data.image_url).toBe('')
})

test('the picture of an unknown category or brand is 404', async () => {
  const world = await aProductWorld()
  for (const path of ['/v3/catalog/categories/9/image', '/v3/catalog/brands/9/image']) {
    expect((await world.call('POST', path, pictureForm('lamp.png'))).status).toBe(404)
    expect((await world.call('DELETE', path)).status).toBe(404)
  }
})

test('a product picture is uploaded by form with its order and description, and the first becomes the thumbnail', async () => {
  const world = await aProductWorld()
  const path = `${PRODUCTS}/${(await world.create()).id}/images`
  const form = pictureForm('shirt.bmp', BMP, { sort_order: '4', description: 'Front' })
  const { data } = (await world.call('POST', path, form)).body
  expect(data).toMatchObject({ sort_order: 4, description: 'Front', is_thumbnail: true })
  expect(await bytesAt(world.picture(data.image_file))).toEqual(BMP)
})

test('a product picture is replaced by form or by address and keeps its id', async () => {
  const world = await aProductWorld()
  const path = `${PRODUCTS}/${(await world.create()).id}/images`
  const { id } = (await world.call('POST', path, pictureForm('shirt.png'))).body.data
  const byForm = (await world.call('PUT', `${path}/${id}`, pictureForm('coat.gif', GIF))).body.data
  expect(byForm.id).toBe(id)
  expect(await bytesAt(world.picture(byForm.image_file))).toEqual(GIF)
  const byUrl = (await world.call('PUT', `${path}/${id}`, { image_url: world.picture('hat.png') })).body.data
  expect(byUrl).toMatchObject({ id, image_file: expect.stringContaining('hat') })
  const missing = await world.call('PUT', `${path}/${id}`, { image_url: world.picture('missing.png') })
  expect(missing.status).toBe(400)
})

async function aVariant(world: World): Promise<string> {
  const { id } = await world.create({ variants: [variant('S', { Size: 'S' })] })
  return `${PRODUCTS}/${id}/variants/${(await world.get(`${PRODUCTS}/${id}/variants`)).body.data[0].id}`
}

test('a variant picture is set by form or by address', async () => {
  const world = await aProductWorld()
  const path = await aVariant(world)
  const byForm = await world.call('POST', `${path}/image`, pictureForm('small.gif', GIF))
  expect(await bytesAt(byForm.body.data.image_url)).toEqual(GIF)
  expect((await world.get(path)).body.data.image_url).toBe(byForm.body.data.image_url)
  const byUrl = await world.call('POST', `${path}/image`, { image_url: world.picture('small.png') })
  expect(byUrl.body.data.image_url).toContain('small')
})

test('a variant picture that cannot be downloaded is 400', async () => {
  const world = await aProductWorld()
  const path = `${await aVariant(world)}/image`
  expect((await world.call('POST', path, { image_url: world.picture('missing.png') })).status).toBe(400)
})

test('a modifier value picture is uploaded by form and shown in its adjusters', async () => {
  const world = await aProductWorld()
  const modifiers = `${PRODUCTS}/${(await world.create()).id}/modifiers`
  const values = [{ label: 'Silk', sort_order: 0, adjusters: { price: { adjuster: 'relative', adjuster_value: 5 } } }]
  const body = { display_name: 'Shade', type: 'dropdown', required: false, option_values: values }
  const { id, option_values } = (await world.call('POST', modifiers, body)).body.data
  const path = `${modifiers}/${id}/values/${option_values[0].id}`
  const { image_url } = (await world.call('POST', `${path}/image`, pictureForm('silk.png'))).body.data
  expect(await bytesAt(image_url)).toEqual(pngFor('silk.png'))
  expect((await world.get(path)).body.data.adjusters).toMatchObject({ image_url, price: { adjuster_value: 5 } })
})

test('a product without pictures is answered with 204 and no body', async () => {
  const world = await aProductWorld()
  const answer = await world.get(`${PRODUCTS}/${(await world.create()).id}/images`)
  expect(answer).toEqual({ status: 204, body: undefined })
})

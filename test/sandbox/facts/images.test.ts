/**
 * Pictures by address. Where a store keeps its originals is our guess (see the docs), and whether it serves them is a
 * switch. That a content delivery network creates the sizes is not visible from outside.
 */
import { describe, expect, it } from 'vitest'
import { pngFor } from '../../../sandbox/images/images.ts'
import { aShop, PRODUCTS, type Shop } from '../a-shop.ts'
import { pictureForm } from '../picture-form.ts'

const imagesOf = (id: number) => `${PRODUCTS}/${id}/images`

async function bytesAt(address: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(address)).arrayBuffer())
}

describe('taking a picture', () => {
  it('is done when the call with the address is answered', async () => {
    const { aProduct, picture, rows } = await aShop()
    const { id } = await aProduct({ images: [{ image_url: picture('shirt.png'), description: 'Front' }] })
    const [image] = await rows(imagesOf(id))
    expect(image).toMatchObject({ description: 'Front', image_file: expect.stringMatching(/^\w\/shirt__\d+\.png$/) })
    expect(await bytesAt(picture(image.image_file))).toEqual(pngFor('shirt.png'))
  })

  it.each<[string, (shop: Shop) => string]>([
    ['is not there', ({ picture }) => picture('missing.png')],
    ['answers with something else', ({ url }) => `${url}/v2/time`],
    ['is no address', () => 'shirt.png'],
  ])('is refused with 400 if its address %s', async (_why, address) => {
    const shop = await aShop()
    const { id } = await shop.aProduct()
    const { status, body } = await shop.call('POST', imagesOf(id), { image_url: address(shop) })
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('could not be downloaded')])
  })

  it('is refused with 422 if there is no address', async () => {
    const { aProduct, call } = await aShop()
    const { status, body } = await call('POST', imagesOf((await aProduct()).id), { description: 'Front' })
    expect([status, body.errors.image_url]).toEqual([422, 'image_url must be present if uploading by url'])
  })
})

describe('showing a picture', () => {
  it('includes its file and the addresses of its sizes', async () => {
    const { aProduct, picture, rows } = await aShop()
    const { id } = await aProduct({ images: [{ image_url: picture('shirt.png') }] })
    const [image] = await rows(imagesOf(id))
    for (const size of ['url_zoom', 'url_standard', 'url_thumbnail', 'url_tiny']) {
      expect(image[size]).toContain(image.image_file.replace('.png', ''))
      expect((await fetch(image[size])).status).toBe(200)
    }
  })

  it('includes the original below its file, and another picture of at most 1280 pixels as the largest size', async () => {
    const { aProduct, picture, rows } = await aShop()
    const { id } = await aProduct({ images: [{ image_url: picture('shirt.png') }] })
    const [{ image_file, url_zoom }] = await rows(imagesOf(id))
    expect(url_zoom).toMatch(/\.1280\.1280\.png$/)
    expect(await bytesAt(picture(image_file))).toEqual(pngFor('shirt.png'))
    expect(await bytesAt(url_zoom)).not.toEqual(pngFor('shirt.png'))
  })

  it('offers the original below product_images of its storefront as well, whose address is in the store information', async () => {
    const { aProduct, get, picture, rows } = await aShop()
    const { id } = await aProduct({ images: [{ image_url: picture('shirt.png') }] })
    const [{ image_file }] = await rows(imagesOf(id))
    const { secure_url } = (await get('/v2/store')).body
    expect(await bytesAt(`${secure_url}/product_images/${image_file}`)).toEqual(pngFor('shirt.png'))
  })

  it('withholds its originals while its storefront is closed, and serves what the API names', async () => {
    const { aProduct, get, picture, rows, store } = await aShop()
    const { id } = await aProduct({ images: [{ image_url: picture('shirt.png') }] })
    store.switches.serve_originals = 'images'
    const [{ image_file, url_zoom }] = await rows(imagesOf(id))
    const { secure_url } = (await get('/v2/store')).body
    const addresses = [`${secure_url}/product_images/${image_file}`, picture(image_file), url_zoom]
    expect(await Promise.all(addresses.map(async (address) => (await fetch(address)).status))).toEqual([404, 200, 200])
  })

  it('has only the sizes in a store that does not serve its originals', async () => {
    const { aProduct, picture, rows, store } = await aShop()
    const { id } = await aProduct({ images: [{ image_url: picture('shirt.png') }] })
    store.switches.serve_originals = false
    const [{ image_file, url_zoom }] = await rows(imagesOf(id))
    expect([(await fetch(picture(image_file))).status, (await fetch(url_zoom)).status]).toEqual([404, 200])
  })
})

const SIGNS: Record<string, Buffer> = {
  bmp: Buffer.from('BM and a bitmap'),
  gif: Buffer.from('GIF89a and a picture'),
  jpeg: Buffer.from('ffd8ffe000104a464946', 'hex'),
  png: pngFor('shirt.png'),
  wbmp: Buffer.from('0000080800000000', 'hex'),
  xbm: Buffer.from('#define shirt_width 8'),
  webp: Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4), Buffer.from('WEBPVP8 ')]),
  ico: Buffer.from('000001000100', 'hex'),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  txt: Buffer.from('no picture'),
  empty: Buffer.alloc(0),
}

describe('kinds of pictures', () => {
  it.each([
    ['products', ['bmp', 'gif', 'jpeg', 'png', 'wbmp', 'xbm', 'webp']],
    ['categories', ['gif', 'jpeg', 'png', 'ico']],
  ])('accepted for %s are %j', async (owner, kinds) => {
    const shop = await aShop()
    const path =
      owner === 'products'
        ? imagesOf((await shop.aProduct()).id)
        : `/v3/catalog/categories/${shop.aCategory('Shirts')}/image`
    const taken: string[] = []
    for (const [kind, bytes] of Object.entries(SIGNS)) {
      const { status } = await shop.call('POST', path, pictureForm(`shirt.${kind}`, bytes))
      if (status === 200) taken.push(kind)
    }
    expect(taken.sort()).toEqual([...kinds].sort())
  })
})

describe('order of pictures', () => {
  it('has exactly one thumbnail after every create, change and delete', async () => {
    const { call, made, aProduct, picture, rows } = await aShop()
    const path = imagesOf((await aProduct()).id)
    const thumbnails = async () =>
      (await rows(path)).flatMap((row: { id: number; is_thumbnail: boolean }) => (row.is_thumbnail ? [row.id] : []))
    const first = await made('POST', path, { image_url: picture('a.png') })
    expect(await thumbnails()).toEqual([first.id])
    const second = await made('POST', path, { image_url: picture('b.png'), is_thumbnail: true })
    expect(await thumbnails()).toEqual([second.id])
    await made('PUT', `${path}/${first.id}`, { is_thumbnail: true })
    expect(await thumbnails()).toEqual([first.id])
    await call('DELETE', `${path}/${first.id}`)
    expect(await thumbnails()).toEqual([second.id])
  })
})

import { expect, test } from 'vitest'
import { PRODUCTS, product } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

const TOUR = {
  title: 'A tour',
  description: 'Seams and buttons',
  sort_order: 3,
  type: 'youtube',
  video_id: 'z3fRu9pkuXE',
}

test('a video is created, read, changed and deleted below its product', async () => {
  const { call, get, create } = await aProductWorld()
  const { id } = await create()
  const path = `${PRODUCTS}/${id}/videos`
  const { data } = (await call('POST', path, TOUR)).body
  expect(data).toMatchObject({ ...TOUR, product_id: id, length: expect.any(String) })
  expect((await get(`${path}/${data.id}`)).body.data).toEqual(data)
  const changed = await call('PUT', `${path}/${data.id}`, { title: 'New', video_id: 'another' })
  expect(changed.body.data).toEqual({ ...data, title: 'New' })
  expect((await call('DELETE', `${path}/${data.id}`)).status).toBe(204)
  expect((await get(path)).body).toMatchObject({ data: [], meta: { pagination: { total: 0 } } })
})

test('videos in a new product are created with it and included on request', async () => {
  const { call, get } = await aProductWorld()
  const made = (await call('POST', PRODUCTS, product({ videos: [TOUR, { video_id: 'second' }] }))).body.data
  expect(made.videos.map((video: { video_id: string }) => video.video_id)).toEqual([TOUR.video_id, 'second'])
  const listed = (await get(`${PRODUCTS}?include=videos`)).body.data[0]
  expect(listed.videos).toEqual(made.videos)
  expect((await get(`${PRODUCTS}/${made.id}/videos`)).body.data).toEqual(made.videos)
})

test('a product update adds the videos without an id and changes those with one', async () => {
  const { call, get, create } = await aProductWorld()
  const made = await create({ videos: [TOUR] })
  const own = made.videos[0]
  await call('PUT', `${PRODUCTS}/${made.id}`, { videos: [{ id: own.id, title: 'New' }, { video_id: 'second' }] })
  expect((await get(`${PRODUCTS}/${made.id}/videos`)).body.data).toMatchObject([
    { ...own, title: 'New' },
    { video_id: 'second' },
  ])
})

test('a video without an id, or of another host, is 422 and refuses its product', async () => {
  const { call, create, store } = await aProductWorld()
  const { id } = await create()
  expect((await call('POST', `${PRODUCTS}/${id}/videos`, { title: 'none' })).status).toBe(422)
  expect((await call('POST', `${PRODUCTS}/${id}/videos`, { ...TOUR, type: 'vimeo' })).status).toBe(422)
  const refused = await call('POST', PRODUCTS, product({ name: 'Other', videos: [{ title: 'none' }] }))
  expect(refused.status).toBe(422)
  expect(store.table('products').count()).toBe(1)
})

test('a video is found below its own product only and deleted with it', async () => {
  const { call, get, create, store } = await aProductWorld()
  const made = await create({ videos: [TOUR] })
  const other = await create({ name: 'Other' })
  expect((await get(`${PRODUCTS}/${other.id}/videos/${made.videos[0].id}`)).status).toBe(404)
  expect((await get(`${PRODUCTS}/1/videos`)).status).toBe(404)
  await call('DELETE', `${PRODUCTS}/${made.id}`)
  expect(store.table('product_videos').count()).toBe(0)
})

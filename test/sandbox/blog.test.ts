import { expect, test } from 'vitest'
import { aSandbox } from './a-sandbox.ts'

const POSTS = '/v2/blog/posts'

async function aBlog() {
  const { call } = await aSandbox()
  const post = async (title: string, more: object = {}) =>
    (await call('POST', POSTS, { title, body: '<p>Text</p>', ...more })).body
  const titles = async (query = '') =>
    ((await call('GET', `${POSTS}${query}`)).body ?? []).map(({ title }: { title: string }) => title)
  return { call, post, titles }
}

test('an empty blog, and the page after the last, are 204', async () => {
  const { call, post } = await aBlog()
  expect((await call('GET', POSTS)).status).toBe(204)
  await post('One')
  expect((await call('GET', `${POSTS}?page=2`)).status).toBe(204)
  expect((await call('GET', `${POSTS}/count`)).body).toEqual({ count: 1 })
})

test('dates are sent in the format of mail headers and returned in three formats; a new post is a draft', async () => {
  const { call, post } = await aBlog()
  const made = await post('One', { published_date: 'Wed, 10 Aug 2022 15:39:15 -0500' })
  expect(made).toMatchObject({
    is_published: false,
    url: '/blog/one/',
    published_date: { date: '2022-08-10 20:39:15.000000', timezone_type: 1, timezone: '+00:00' },
    published_date_iso8601: '2022-08-10T20:39:15+0000',
  })
  const wrong = { title: 'Two', body: '', published_date: made.published_date }
  expect((await call('POST', POSTS, wrong)).status).toBe(400)
})

test('posts are listed latest first, and filtered by state, tag and address', async () => {
  const { post, titles } = await aBlog()
  await post('Old', { published_date: 'Wed, 10 Aug 2022 15:39:15 +0000', tags: ['news'], is_published: true })
  await post('New', { published_date: 'Thu, 11 Aug 2022 15:39:15 +0000', url: '/new/' })
  expect(await titles()).toEqual(['New', 'Old'])
  expect(await titles('?is_published=true')).toEqual(['Old'])
  expect(await titles('?tag=news')).toEqual(['Old'])
  expect(await titles('?url=%2Fnew%2F')).toEqual(['New'])
})

test('an update without is_published unpublishes the post', async () => {
  const { call, post } = await aBlog()
  const { id } = await post('One', { is_published: true })
  const changed = await call('PUT', `${POSTS}/${id}`, { title: 'Uno', body: '' })
  expect(changed.body).toMatchObject({ title: 'Uno', is_published: false, url: '/blog/one/' })
})

test('tags exist as long as their posts do, and a page of posts is deleted at once', async () => {
  const { call, post, titles } = await aBlog()
  const one = await post('One', { tags: ['a', 'b'] })
  const two = await post('Two', { tags: ['b'] })
  expect((await call('GET', '/v2/blog/tags')).body).toEqual([
    { tag: 'a', post_ids: [one.id] },
    { tag: 'b', post_ids: [one.id, two.id] },
  ])
  await call('DELETE', `${POSTS}?limit=1`)
  expect(await titles()).toHaveLength(1)
})

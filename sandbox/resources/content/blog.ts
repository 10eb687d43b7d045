import { noContent, Refusal, v2Error } from '../../http/answers.ts'
import { booleanIn } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { v2Object } from '../../http/v2-body.ts'
import { v2PageOf } from '../../http/v2-page.ts'
import type { Row } from '../../store/store.ts'
import {
  blogPostTable,
  createPost,
  removePost,
  type SavedPost,
  sameMoment,
  shownPost,
  updatePost,
} from './blog-rows.ts'

const SCOPE = 'store_v2_content'
const POSTS = '/v2/blog/posts'
const POST = `${POSTS}/:postId`

/** Posts are listed from newest to oldest. Source: the published operation. */
function pageOf({ store, query }: SandboxRequest): Row[] {
  const { offset, limit } = v2PageOf(query)
  const url = query.get('url')
  const published = booleanIn(query, 'is_published')
  const where = { ...(url !== null && { url_key: url }), ...(published !== undefined && { is_published: published }) }
  const [tag, moment] = [query.get('tag'), query.get('published_date')]
  const order = { orderBy: 'published_date_ms', descending: true }
  if (tag === null && moment === null) return blogPostTable(store).page({ where, ...order, offset, limit }).rows
  const { rows } = blogPostTable(store).page({ where, ...order, offset: 0, limit: blogPostTable(store).count() || 1 })
  return rows
    .filter((row) => tag === null || (row.tags as string[]).includes(tag))
    .filter((row) => moment === null || sameMoment(row, moment))
    .slice(offset, offset + limit)
}

function listPosts(request: SandboxRequest): SandboxAnswer {
  const rows = pageOf(request)
  return rows.length === 0 ? noContent() : { status: 200, body: rows.map(shownPost) }
}

function named({ store, params }: SandboxRequest): Row {
  const row = blogPostTable(store).get(Number(params.postId))
  if (!row) throw new Refusal(v2Error(404, 'The requested resource was not found.'))
  return row
}

/** v2 has no envelope, even for a 207 (our choice: the specification leaves this body open). */
function answered({ row, urlTaken }: SavedPost): SandboxAnswer {
  return { status: urlTaken ? 207 : 200, body: shownPost(row) }
}

function removePage(request: SandboxRequest): SandboxAnswer {
  request.store.transaction(() => {
    for (const row of pageOf(request)) removePost(request.store, row)
  })
  return noContent()
}

function removeOne(request: SandboxRequest): SandboxAnswer {
  const row = named(request)
  request.store.transaction(() => removePost(request.store, row))
  return noContent()
}

/** A tag exists as long as a post has it. */
function listTags({ store }: SandboxRequest): SandboxAnswer {
  const posts = new Map<string, number[]>()
  for (const { id, tags } of blogPostTable(store).scan())
    for (const tag of new Set(tags as string[])) posts.set(tag, [...(posts.get(tag) ?? []), id])
  const body = [...posts].map(([tag, post_ids]) => ({ tag, post_ids }))
  return body.length === 0 ? noContent() : { status: 200, body }
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const blog: SandboxResource = {
  key: 'blog',
  routes: [
    { method: 'GET', path: '/v2/blog/tags', ...read, handle: listTags },
    { method: 'GET', path: POSTS, ...read, handle: listPosts },
    {
      method: 'POST',
      path: POSTS,
      ...write,
      handle: ({ store, body }) => store.transaction(() => answered(createPost(store, v2Object(body)))),
    },
    { method: 'DELETE', path: POSTS, ...write, handle: removePage },
    {
      method: 'GET',
      path: `${POSTS}/count`,
      ...read,
      handle: ({ store }) => ({ status: 200, body: { count: blogPostTable(store).count() } }),
    },
    { method: 'GET', path: POST, ...read, handle: (request) => ({ status: 200, body: shownPost(named(request)) }) },
    {
      method: 'PUT',
      path: POST,
      ...write,
      handle: (request) => {
        const row = named(request)
        return request.store.transaction(() => answered(updatePost(request.store, row, v2Object(request.body))))
      },
    },
    { method: 'DELETE', path: POST, ...write, handle: removeOne },
  ],
}

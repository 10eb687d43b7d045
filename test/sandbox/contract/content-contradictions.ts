import type { Contradiction } from './contradiction.ts'

const PAGES = '/v3/content/pages'
const PAGE = `${PAGES}/:pageId`

/** Refusals of pages that the file documents. */
const pageRefusals: Record<string, number[]> = {
  [`GET ${PAGES}`]: [422],
  [`POST ${PAGES}`]: [422],
  [`PUT ${PAGES}`]: [404, 422],
  [`DELETE ${PAGES}`]: [404, 422],
  [`GET ${PAGE}`]: [404, 422],
  [`PUT ${PAGE}`]: [404, 422],
  [`DELETE ${PAGE}`]: [404],
}

/** The same of the pages and the blog of a store. */
export const contentContradictions: Contradiction[] = [
  {
    reason:
      'The file gives this refusal `application/problem+json`; every other file and the platform documentation have JSON for it.',
    places: Object.entries(pageRefusals).flatMap(([operation, statuses]) =>
      statuses.map((status) => `${operation} ${status} (media type)`),
    ),
  },
  {
    reason: 'The schema makes it a list of lists of tags; it is described as a list of tags.',
    places: ['GET /v2/blog/tags 200 []'],
  },
  {
    reason: 'The schema of what is answered to a write has no id; the example of the same answer has.',
    places: ['POST /v2/blog/posts 200 id', 'PUT /v2/blog/posts/:postId 200 id'],
  },
]

/** What the file of version 2 documents no refusal of. */
export const unrefusedBlog = [
  'GET /v2/blog/tags 401',
  'GET /v2/blog/posts 400',
  'POST /v2/blog/posts 400',
  'DELETE /v2/blog/posts 400',
  'GET /v2/blog/posts/count 401',
  'GET /v2/blog/posts/:postId 404',
  'PUT /v2/blog/posts/:postId 404',
  'DELETE /v2/blog/posts/:postId 404',
]

/** The file documents refusals of its imports and exports only. */
export const unrefusedRedirects = ['GET', 'PUT', 'DELETE'].map((method) => `${method} /v3/storefront/redirects 422`)

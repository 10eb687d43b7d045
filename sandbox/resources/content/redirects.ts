import { noContent, refuse } from '../../http/answers.ts'
import { list, numbersIn, textsIn } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { listBody } from '../../validation/body-checks.ts'
import { redirectErrors, redirectTable, targetUrl, upsertRedirect } from './redirect-rows.ts'

const SCOPE = 'store_v2_content'
const PATH = '/v3/storefront/redirects'

function shown(store: SandboxStore, row: Row, query: URLSearchParams): Record<string, unknown> {
  const { id, site_id, from_path, to } = row
  const url = textsIn(query, 'include')?.includes('to_url') ? targetUrl(store, row) : undefined
  return { id, site_id, from_path, to, ...(url !== undefined && { to_url: url }) }
}

const SORTS: Record<string, (row: Row) => string | number> = {
  from_path: ({ from_path }) => String(from_path),
  type: ({ to }) => String((to as { type: unknown }).type),
  site_id: ({ site_id }) => Number(site_id),
}

function orderOf(query: URLSearchParams): ((a: Row, b: Row) => number) | undefined {
  const sort = query.get('sort') ?? 'id'
  const turned = query.get('direction') === 'desc' ? -1 : 1
  if (sort === 'id') return turned === 1 ? undefined : (a, b) => b.id - a.id
  const by = SORTS[sort]
  if (!by) return refuse(422, `The list cannot be sorted by ${sort}.`, { sort: 'is not a field to sort by' })
  return (a, b) => turned * (by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : a.id - b.id)
}

function listRedirects({ store, query }: SandboxRequest): SandboxAnswer {
  const sites = numbersIn(query, 'site_id')
  const keyword = query.get('keyword')?.toLowerCase().replace(/^\/*/, '/')
  return list({
    query,
    table: redirectTable(store),
    where: sites ? { site_id: sites } : {},
    keep: keyword === undefined ? undefined : ({ from_path }) => String(from_path).toLowerCase().startsWith(keyword),
    order: orderOf(query),
    show: (row) => shown(store, row, query),
  })
}

/** Saves all rows or none (our choice: no refusal is documented). */
function upsert({ store, body, query }: SandboxRequest): SandboxAnswer {
  const rows = listBody(body)
  const errors = rows.flatMap((row, at) =>
    Object.entries(redirectErrors(store, row)).map(([field, message]) => [`${at}.${field}`, message]),
  )
  if (errors.length > 0) refuse(422, 'The redirects are not valid.', Object.fromEntries(errors))
  const saved = store.transaction(() => rows.map((row) => upsertRedirect(store, row)))
  return { status: 201, body: { data: saved.map((row) => shown(store, row, query)), meta: {} } }
}

function remove({ store, query }: SandboxRequest): SandboxAnswer {
  const ids = numbersIn(query, 'id:in')
  const sites = numbersIn(query, 'site_id')
  if (!ids && !sites) return refuse(422, 'A filter must be given.', { 'id:in': 'name the redirects to delete' })
  const where = { ...(ids && { id: ids }), ...(sites && { site_id: sites }) }
  store.transaction(() => {
    for (const { id } of redirectTable(store).find(where)) redirectTable(store).delete(id)
  })
  return noContent()
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const redirects: SandboxResource = {
  key: 'redirects',
  routes: [
    { method: 'GET', path: PATH, ...read, handle: listRedirects },
    { method: 'PUT', path: PATH, ...write, handle: upsert },
    { method: 'DELETE', path: PATH, ...write, handle: remove },
  ],
}

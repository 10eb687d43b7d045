import { noContent, ok, Refusal } from '../../http/answers.ts'
import { list, numbersIn, textsIn } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { refuseBeyondLimit } from '../../validation/platform-limits.ts'
import { createPage, pageTable, refuseInput, removePage, type SavedPage, updatePage } from './page-rows.ts'

type Fields = Record<string, unknown>

const SCOPE = 'store_v2_content'
const PAGES = '/v3/content/pages'
const PAGE = `${PAGES}/:pageId`
const STATUS_PAGE = 'https://developer.bigcommerce.com/api-docs/getting-started/api-status-codes'

/** The answer contains the body of a page only on request. */
function shown({ body, ...row }: Row, query: URLSearchParams): Fields {
  const requested = textsIn(query, 'include')?.includes('body') === true
  return requested && body !== undefined ? { ...row, body } : row
}

function noSuchPage(id: unknown): SandboxAnswer {
  return { status: 404, body: { status: 404, title: `A Page was not found with an ID of ${id}`, type: STATUS_PAGE } }
}

/** Source: the 422 of the published specification lists the errors. */
function refuseWords(query: URLSearchParams): void {
  const wrong = ['channel_id', 'limit', 'page', 'id:in'].filter((name) => !/^[\d,]*$/.test(query.get(name) ?? ''))
  if (wrong.length > 0)
    throw new Refusal({ status: 422, body: { status: 422, title: 'Invalid Input.', type: STATUS_PAGE, errors: wrong } })
}

/** A test whether a page matches the parameters. */
function keeps(query: URLSearchParams): (row: Row) => boolean {
  const part = query.get('name:like')?.toLowerCase()
  const isLike = (value: unknown) =>
    String(value ?? '')
      .toLowerCase()
      .includes(part ?? '')
  return ({ name, body }) => part === undefined || isLike(name) || isLike(body)
}

function whereOf(query: URLSearchParams) {
  const channel = query.get('channel_id')
  const name = query.get('name')
  const ids = numbersIn(query, 'id:in')
  return {
    ...(channel !== null && { channel_id: Number(channel) }),
    ...(name !== null && { name_key: name }),
    ...(ids && { id: ids }),
  }
}

function listPages({ store, query }: SandboxRequest): SandboxAnswer {
  refuseWords(query)
  const keep = query.has('name:like') ? keeps(query) : undefined
  const show = (row: Row) => shown(row, query)
  return list({ query, table: pageTable(store), where: whereOf(query), keep, show, idFilters: false })
}

function rowsOf(body: unknown): Fields[] {
  const rows: unknown[] = Array.isArray(body) ? body : [body]
  if (rows.some((row) => row === null || typeof row !== 'object' || Array.isArray(row)))
    refuseInput('the body must be a page or a list of pages')
  // Checked above.
  return rows as Fields[]
}

/**
 * Answers with an object if the body was one, and with a list if it was a list. Shape D if an address could not be
 * saved.
 */
function answered(saved: SavedPage[], { body, query }: SandboxRequest, status: number): SandboxAnswer {
  const pages = saved.map(({ row }) => shown(row, query))
  const data = Array.isArray(body) ? pages : pages[0]
  const taken = saved.flatMap(({ urlTaken }) => urlTaken ?? [])
  if (taken.length === 0) return { status, body: { data, meta: {} } }
  const errors = {
    status: 207,
    title: 'The page was saved, its URL was not.',
    type: STATUS_PAGE,
    errors: { url: `The URL ${taken.join(', ')} is already in use.` },
  }
  return { status: 207, body: { data, errors, meta: {} } }
}

/** One invalid page fails the call, but the valid ones are saved all the same (shape J). */
function saveEach(rows: Fields[], save: (row: Fields) => SavedPage): SavedPage[] {
  const saved: SavedPage[] = []
  let refusal: unknown
  for (const row of rows) {
    try {
      saved.push(save(row))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusal ??= error
    }
  }
  if (refusal) throw refusal
  return saved
}

function create(request: SandboxRequest): SandboxAnswer {
  const { store, body } = request
  const rows = rowsOf(body)
  refuseBeyondLimit(store, 'page_limit', pageTable(store).count() + rows.length)
  const saved = saveEach(rows, (row) => store.transaction(() => createPage(store, row)))
  return answered(saved, request, 201)
}

/** An unknown page fails the whole batch (our choice: only deletions are documented). */
function updateMany(request: SandboxRequest): SandboxAnswer {
  const { store, body } = request
  const rows = rowsOf(body)
  for (const { id } of rows) if (id === undefined) refuseInput('missing the required field: id')
  const unknown = rows.find(({ id }) => !pageTable(store).get(Number(id)))
  if (unknown) return noSuchPage(unknown.id)
  return store.transaction(() =>
    answered(
      saveEach(rows, (row) => updateOf(store, row)),
      request,
      200,
    ),
  )
}

function updateOf(store: SandboxStore, fields: Fields): SavedPage {
  const before = pageTable(store).get(Number(fields.id))
  if (!before) throw new Refusal(noSuchPage(fields.id))
  return updatePage(store, before, fields)
}

function named({ store, params }: SandboxRequest): Row {
  const { pageId } = params
  if (!/^\d+$/.test(pageId ?? ''))
    throw new Refusal({
      status: 422,
      body: { status: 422, title: 'Invalid Input.', type: STATUS_PAGE, errors: [String(pageId)] },
    })
  const row = pageTable(store).get(Number(pageId))
  if (!row) throw new Refusal(noSuchPage(pageId))
  return row
}

/**
 * A page that does not match the parameters counts as not found. Source: the warning in the published pages
 * specification.
 */
function showOne(request: SandboxRequest): SandboxAnswer {
  const { query } = request
  const row = named(request)
  const where: Record<string, unknown> = whereOf(query)
  const isRequested = Object.entries({ channel_id: row.channel_id, name_key: row.name }).every(
    ([field, value]) => where[field] === undefined || where[field] === value,
  )
  return isRequested && keeps(query)(row) ? ok(shown(row, query)) : noSuchPage(row.id)
}

function updateOne(request: SandboxRequest): SandboxAnswer {
  const row = named(request)
  const [fields = {}] = rowsOf(request.body)
  return request.store.transaction(() => answered([updatePage(request.store, row, fields)], request, 200))
}

/** Deletes the pages that exist, even if others are not found. Source: the 404 of the published pages specification. */
function removeMany({ store, query }: SandboxRequest): SandboxAnswer {
  const text = query.get('id:in')
  if (text === null || text === '') refuseInput('missing the required field: id')
  if (!/^\d+(,\d+)*$/.test(String(text))) refuseInput('id:in must be a list of numbers')
  const ids = String(text).split(',').map(Number)
  const missing = ids.filter((id) => !pageTable(store).get(id))
  store.transaction(() => {
    for (const id of ids) {
      const row = pageTable(store).get(id)
      if (row) removePage(store, row, query.get('delete_children') === 'true')
    }
  })
  return missing.length > 0 ? noSuchPage(missing.join(', ')) : noContent()
}

function removeOne(request: SandboxRequest): SandboxAnswer {
  const row = named(request)
  request.store.transaction(() => removePage(request.store, row, false))
  return noContent()
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const pages: SandboxResource = {
  key: 'pages',
  routes: [
    { method: 'GET', path: PAGES, ...read, handle: listPages },
    { method: 'POST', path: PAGES, ...write, handle: create },
    { method: 'PUT', path: PAGES, ...write, handle: updateMany },
    { method: 'DELETE', path: PAGES, ...write, handle: removeMany },
    { method: 'GET', path: PAGE, ...read, handle: showOne },
    { method: 'PUT', path: PAGE, ...write, handle: updateOne },
    { method: 'DELETE', path: PAGE, ...write, handle: removeOne },
  ],
}

import { errorBody, noContent, notFound, ok, refuse, v3Error } from '../../http/answers.ts'
import { list, numbersIn } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { imageExists, storedName } from '../../images/images.ts'
import { namesAreEqual } from '../../store/name-case.ts'
import { withNullTexts } from '../../store/null-texts.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { claimUrl, freeUrl, isValidUrl, releaseUrl, saidCustomized, urlIsFree } from '../../store/urls.ts'
import { brandMetafieldTable, productTable } from '../../tables/product-tables.ts'
import { deleteRows } from '../../tables/rows.ts'
import { refuseLongFilters } from '../../validation/body-checks.ts'
import { refuseBeyondLimit } from '../../validation/platform-limits.ts'

type Fields = Record<string, unknown>

const SCOPE = 'store_v2_products'
const INVALID = 'JSON data is missing or invalid'
const TEXT_LIMITS = { name: 255, page_title: 255, meta_description: 65_535, search_keywords: 65_535 }

export function brandsTable(store: SandboxStore): Table {
  return store.table('brands', ['name_key'])
}

/** Pictures are stored as file names, because the store's address changes with the port. */
function shown(store: SandboxStore, row: Row): Fields {
  return { ...withNullTexts(store, row), image_url: row.image_url ? `${store.imageBase}/${row.image_url}` : '' }
}

function isAbsentOr(value: unknown, type: 'string' | 'object'): boolean {
  return value === undefined || value === null || typeof value === type
}

function refuseBadFields(fields: Fields): void {
  const errors: Record<string, string> = {}
  for (const [name, limit] of Object.entries(TEXT_LIMITS)) {
    const value = fields[name]
    if (value === undefined) continue
    if (typeof value !== 'string') errors[name] = 'error.expected.jsstring'
    else if (value.length > limit) errors[name] = `${name} must be at most ${limit} characters`
  }
  if (fields.name !== undefined && fields.name === '') errors.name = 'name must not be empty'
  if (!isAbsentOr(fields.image_url, 'string')) errors.image_url = 'error.expected.jsstring'
  if (!isAbsentOr(fields.custom_url, 'object')) errors.custom_url = 'error.expected.jsobject'
  const keywords = fields.meta_keywords
  if (keywords !== undefined && !(Array.isArray(keywords) && keywords.every((word) => typeof word === 'string'))) {
    errors.meta_keywords = 'meta_keywords must be an array of strings'
  }
  if (Object.keys(errors).length > 0) refuse(422, INVALID, errors)
}

function fieldsOf(body: unknown): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    refuse(422, INVALID, { '': 'error.expected.jsobject' })
  const fields = body as Fields
  refuseBadFields(fields)
  return fields
}

function refuseTakenName(store: SandboxStore, name: unknown, ownId?: number): void {
  const holders = brandsTable(store).find({ name_key: String(name) })
  if (holders.some((holder) => holder.id !== ownId && namesAreEqual(store, holder.name, name))) {
    refuse(
      409,
      'Brand was in conflict with another brand. This is the result of duplicate unique fields such as name.',
      {
        name: `The brand name ${name} is already in use.`,
      },
    )
  }
}

/** Downloads the picture before anything is written, because a transaction cannot wait. */
async function takeImage(fields: Fields): Promise<Fields> {
  const address = fields.image_url
  if (typeof address !== 'string' || address === '') return fields
  if (!(await imageExists(address))) {
    refuse(422, 'The image could not be downloaded.', { image_url: 'The resource could not be downloaded.' })
  }
  return { ...fields, image_url: storedName(address, `brand ${fields.name ?? ''}`) }
}

function customUrl(fields: Fields): string | undefined {
  const requested = (fields.custom_url as { url?: unknown } | null | undefined)?.url
  if (requested === undefined || requested === '') return undefined
  if (!isValidUrl(requested)) refuse(422, INVALID, { 'custom_url.url': 'custom_url.url is not a valid URL path' })
  return requested
}

/** Inserts a brand without further checks. Used by the seeds and the create call. */
export function insertBrand(store: SandboxStore, fields: Fields): Row {
  const name = String(fields.name)
  const requested = customUrl(fields)
  const url = requested && urlIsFree(store, requested) ? requested : freeUrl(store, '/brands', name)
  const row = brandsTable(store).insert({
    name,
    page_title: fields.page_title ?? '',
    meta_keywords: fields.meta_keywords ?? [],
    meta_description: fields.meta_description ?? '',
    search_keywords: fields.search_keywords ?? '',
    image_url: fields.image_url ?? '',
    custom_url: { url, is_customized: url === requested && saidCustomized(fields.custom_url) },
  })
  claimUrl(store, url, { resource: 'brand', id: row.id })
  return row
}

/** Shape D: the brand is saved without its address. */
function answerSaved(store: SandboxStore, row: Row, requested: string | undefined): SandboxAnswer {
  const data = shown(store, row)
  if (requested === undefined || (row.custom_url as { url: string }).url === requested) return ok(data)
  const errors = errorBody(207, 'The brand was saved, its URL was not.', {
    'custom_url.url': `The URL ${requested} is already in use.`,
  })
  return { status: 207, body: { data, errors, meta: {} } }
}

async function create({ store, body }: SandboxRequest): Promise<SandboxAnswer> {
  const given = fieldsOf(body)
  if (given.name === undefined) refuse(422, INVALID, { name: 'error.path.missing' })
  const requested = customUrl(given)
  refuseTakenName(store, given.name)
  refuseBeyondLimit(store, 'brand_limit', brandsTable(store).count() + 1)
  const fields = await takeImage(given)
  return store.transaction(() => {
    refuseTakenName(store, fields.name)
    return answerSaved(store, insertBrand(store, fields), requested)
  })
}

function knownBrand(store: SandboxStore, id: string | undefined): Row | undefined {
  return brandsTable(store).get(Number(id))
}

async function update({ store, params, body }: SandboxRequest): Promise<SandboxAnswer> {
  const brand = knownBrand(store, params.brandId)
  if (!brand) return notFound('The brand was not found.')
  const given = fieldsOf(body)
  const requested = customUrl(given)
  const { id: _id, custom_url: _url, ...fields } = await takeImage({ name: brand.name, ...given })
  return store.transaction(() => {
    refuseTakenName(store, fields.name, brand.id)
    const moved = requested !== undefined && claimUrl(store, requested, { resource: 'brand', id: brand.id })
    const row = brandsTable(store).update(
      brand.id,
      moved ? { ...fields, custom_url: { url: requested, is_customized: saidCustomized(given.custom_url) } } : fields,
    )
    return answerSaved(store, row, requested)
  })
}

function remove(store: SandboxStore, id: number): void {
  for (const product of productTable(store).find({ brand_id: id }))
    productTable(store).update(product.id, { brand_id: 0 })
  deleteRows(brandMetafieldTable(store), { resource_id: id })
  brandsTable(store).delete(id)
  releaseUrl(store, { resource: 'brand', id })
}

function removeByName({ store, query }: SandboxRequest): SandboxAnswer {
  const name = query.get('name')
  if (!name) return v3Error(422, 'A filter must be supplied with the endpoint.', { name: 'name is required' })
  store.transaction(() => {
    for (const brand of brandsTable(store).find({ name_key: name })) {
      const title = query.get('page_title')
      if (title === null || title === brand.page_title) remove(store, brand.id)
    }
  })
  return noContent()
}

function keptBy(query: URLSearchParams): ((row: Row) => boolean) | undefined {
  const like = query.get('name:like')?.toLowerCase()
  const title = query.get('page_title')
  const unwanted = numbersIn(query, 'id:not_in') ?? []
  if (like === undefined && title === null && unwanted.length === 0) return undefined
  return (row) =>
    !unwanted.includes(row.id) &&
    (like === undefined || String(row.name).toLowerCase().includes(like)) &&
    (title === null || row.page_title === title)
}

function order(query: URLSearchParams): ((a: Row, b: Row) => number) | undefined {
  if (query.get('sort') !== 'name' && query.get('direction') !== 'desc') return undefined
  const sign = query.get('direction') === 'desc' ? -1 : 1
  if (query.get('sort') !== 'name') return (a, b) => sign * (a.id - b.id)
  return (a, b) => sign * (String(a.name).localeCompare(String(b.name), 'en') || a.id - b.id)
}

function listBrands(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  refuseLongFilters(request)
  const name = query.get('name')
  return list({
    query,
    table: brandsTable(store),
    where: name === null ? {} : { name_key: name },
    keep: keptBy(query),
    order: order(query),
    show: (row) => shown(store, row),
  })
}

export const brands: SandboxResource = {
  key: 'brands',
  routes: [
    { method: 'GET', path: '/v3/catalog/brands', scope: SCOPE, latency: 'read', handle: listBrands },
    { method: 'POST', path: '/v3/catalog/brands', scope: SCOPE, latency: 'write', handle: create },
    { method: 'DELETE', path: '/v3/catalog/brands', scope: SCOPE, latency: 'write', handle: removeByName },
    {
      method: 'GET',
      path: '/v3/catalog/brands/:brandId',
      scope: SCOPE,
      latency: 'read',
      handle: ({ store, params }) => {
        const brand = knownBrand(store, params.brandId)
        return brand ? ok(shown(store, brand)) : notFound('The brand was not found.')
      },
    },
    { method: 'PUT', path: '/v3/catalog/brands/:brandId', scope: SCOPE, latency: 'write', handle: update },
    {
      method: 'DELETE',
      path: '/v3/catalog/brands/:brandId',
      scope: SCOPE,
      latency: 'write',
      handle: ({ store, params }) => {
        if (knownBrand(store, params.brandId)) store.transaction(() => remove(store, Number(params.brandId)))
        return noContent()
      },
    },
  ],
}

import { Refusal } from '../../http/answers.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { claimUrl, freeUrl, isValidUrl, releaseUrl, type UrlOwner } from '../../store/urls.ts'
import { type FieldRules, readFields, withFallbacks } from '../../validation/field-rules.ts'
import { channelsTable } from '../channels/channels.ts'

type Fields = Record<string, unknown>

const COMMON: FieldRules = {
  name: { kind: 'text', min: 1, max: 100 },
  type: { kind: 'text', oneOf: ['page', 'raw', 'contact_form', 'link', 'blog'] },
  is_visible: { kind: 'boolean', fallback: true },
  parent_id: { kind: 'integer', min: 0, fallback: 0 },
  sort_order: { kind: 'integer', fallback: 0 },
  is_homepage: { kind: 'boolean', fallback: false },
  is_customers_only: { kind: 'boolean', fallback: false },
}
const META: FieldRules = {
  meta_title: { kind: 'text', nullable: true, fallback: '' },
  meta_keywords: { kind: 'text', nullable: true, fallback: '' },
  meta_description: { kind: 'text', nullable: true, fallback: '' },
}
const SEARCH: FieldRules = { search_keywords: { kind: 'text', nullable: true, fallback: '' } }
const BODY: FieldRules = { body: { kind: 'text', nullable: true, fallback: '' } }

/**
 * The fields of each type of page. Source: the schemas of the published pages specification, and for the body of plain
 * pages its table of types.
 */
const RULES: Record<string, FieldRules> = {
  page: { ...COMMON, ...META, ...SEARCH, ...BODY },
  blog: { ...COMMON, ...META, ...SEARCH },
  contact_form: {
    ...{ ...COMMON, ...META, ...SEARCH, ...BODY },
    email: { kind: 'text', max: 255, fallback: '' },
    contact_fields: { kind: 'text', fallback: '' },
  },
  raw: { ...COMMON, ...SEARCH, ...BODY, content_type: { kind: 'text', fallback: 'text/html' } },
  link: { ...COMMON, link: { kind: 'text' } },
}

/** What a page of this type must have. Source: the published pages specification. */
const REQUIRED: Record<string, string> = { raw: 'body', link: 'link' }

export function pageTable(store: SandboxStore): Table {
  return store.table('pages', ['channel_id', 'parent_id', 'name_key', 'type', 'is_homepage', 'email_key'])
}

/** Source: the examples of the published specification, which describe the errors in `detail`. */
export function refuseInput(detail: string, status = 422): never {
  const type = 'https://developer.bigcommerce.com/api-docs/getting-started/api-status-codes'
  throw new Refusal({ status, body: { status, title: 'Input is invalid', type, detail } })
}

function ownerOf({ id, channel_id }: Row): UrlOwner {
  return { resource: 'page', id, channelId: Number(channel_id) }
}

/** A saved page. `urlTaken` is the requested address if it was not free. */
export interface SavedPage {
  row: Row
  urlTaken?: string
}

export function createPage(store: SandboxStore, given: Fields): SavedPage {
  const channelId = given.channel_id === undefined ? 1 : given.channel_id
  if (typeof channelId !== 'number' || !channelsTable(store).get(channelId))
    refuseInput(`there is no channel ${channelId}`)
  // The 400 for a missing name was recorded; the published file has only 422.
  if (given.name === undefined) refuseInput('missing the required field: name', 400)
  if (given.type === undefined) refuseInput('missing the required field: type')
  if (given.type === 'blog') refuseInput('pages of the type blog are made in the control panel')
  const values = valuesOf(given)
  const required = REQUIRED[String(given.type)]
  if (required !== undefined && values[required] === undefined) refuseInput(`missing the required field: ${required}`)
  return insertPage(store, { ...given, ...values, channel_id: channelId })
}

/**
 * Writes a page after the checks that involve other pages. Used by the create call, and by the seeds, which may create
 * a blog page.
 */
export function insertPage(store: SandboxStore, fields: Fields): SavedPage {
  const channelId = Number(fields.channel_id ?? 1)
  refuseConflicts(store, { ...fields, channel_id: channelId })
  const type = String(fields.type)
  const { id } = pageTable(store).insert({ channel_id: channelId, ...withFallbacks(RULES[type] ?? COMMON, fields) })
  leaveOneHomepage(store, id)
  return withAddress(store, pageTable(store).update(id, {}), fields.url ?? undefined)
}

/** A page that changes its type keeps the fields that the new type has. */
export function updatePage(store: SandboxStore, before: Row, given: Fields): SavedPage {
  if (given.channel_id !== undefined && given.channel_id !== before.channel_id)
    refuseInput('channel_id: a page stays in its channel')
  if (given.type === 'blog' && before.type !== 'blog')
    refuseInput('pages of the type blog are made in the control panel')
  const type = String(given.type ?? before.type)
  const values = valuesOf({ ...given, type })
  const requested: Fields = { ...withFallbacks(RULES[type] ?? COMMON, { ...before, ...values }) }
  const required = REQUIRED[type]
  if (required !== undefined && requested[required] === undefined)
    refuseInput(`missing the required field: ${required}`)
  refuseConflicts(store, { ...requested, channel_id: before.channel_id }, before.id)
  pageTable(store).delete(before.id)
  const row = pageTable(store).insert({
    ...{ id: before.id, channel_id: before.channel_id },
    ...requested,
    ...(type !== 'link' && before.url !== undefined && { url: before.url }),
  })
  leaveOneHomepage(store, row.id)
  return withAddress(store, row, given.url ?? undefined)
}

function valuesOf(given: Fields): Fields {
  const rules = RULES[String(given.type)] ?? COMMON
  const { values, errors } = readFields(rules, given)
  const said = Object.values(errors)
  if (said.length > 0) refuseInput(said.join('; '))
  if (given.url !== undefined && !isValidUrl(given.url)) refuseInput('url is not a valid path')
  return values
}

/**
 * Names are unique, as are addresses of contact forms. Source: their descriptions. That this applies per channel is our
 * choice.
 */
function refuseConflicts(store: SandboxStore, { name, email, parent_id, channel_id }: Fields, ownId?: number): void {
  const channelId = Number(channel_id)
  const others = (where: Record<string, string>) =>
    pageTable(store)
      .find({ channel_id: channelId, ...where })
      .filter(({ id }) => id !== ownId)
  if (others({ name_key: String(name) }).length > 0) refuseInput("'Name' must be unique")
  if (typeof email === 'string' && email !== '' && others({ email_key: email }).length > 0)
    refuseInput(`email: there is a contact form with ${email} already`)
  const parentId = Number(parent_id ?? 0)
  if (parentId === 0) return
  if (pageTable(store).get(parentId)?.channel_id !== channelId) refuseInput(`parent_id: there is no page ${parentId}`)
  for (let at = parentId; at !== 0; at = Number(pageTable(store).get(at)?.parent_id ?? 0))
    if (at === ownId) refuseInput('parent_id: a page cannot be below itself')
}

/** A storefront has just one home page, so a new one replaces the old. */
function leaveOneHomepage(store: SandboxStore, id: number): void {
  const row = pageTable(store).get(id)
  if (row?.is_homepage !== true) return
  const all = pageTable(store).find({ channel_id: Number(row.channel_id), is_homepage: true })
  for (const other of all) if (other.id !== id) pageTable(store).update(other.id, { is_homepage: false })
}

/** A page is saved even if its address is taken; a link has no address. */
function withAddress(store: SandboxStore, row: Row, requested: unknown): SavedPage {
  const owner = ownerOf(row)
  if (row.type === 'link') {
    releaseUrl(store, owner)
    return { row }
  }
  if (typeof requested === 'string' && claimUrl(store, requested, owner))
    return { row: pageTable(store).update(row.id, { url: requested }) }
  const taken = typeof requested === 'string' ? { urlTaken: requested } : {}
  if (row.url !== undefined) return { row, ...taken }
  const url = freeUrl(store, '/', String(row.name), owner.channelId)
  claimUrl(store, url, owner)
  return { row: pageTable(store).update(row.id, { url }), ...taken }
}

/** Deletes a page. Its children are deleted too if requested; otherwise they move to the top level and are hidden. */
export function removePage(store: SandboxStore, row: Row, deleteChildren: boolean): void {
  pageTable(store).delete(row.id)
  releaseUrl(store, ownerOf(row))
  for (const child of pageTable(store).find({ parent_id: row.id }))
    if (deleteChildren) removePage(store, child, true)
    else pageTable(store).update(child.id, { parent_id: 0, is_visible: false })
}

import { mailDate, refuseV2, refuseV2IfAny } from '../../http/v2-body.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { claimUrl, freeUrl, isValidUrl, releaseUrl, type UrlOwner } from '../../store/urls.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'

type Fields = Record<string, unknown>

/** Source: the published schema of a post. Some of its texts may be null in answers, but not in requests. */
const RULES: FieldRules = {
  title: { kind: 'text', min: 1 },
  body: { kind: 'text' },
  tags: { kind: 'texts' },
  is_published: { kind: 'boolean' },
  published_date: { kind: 'text' },
  meta_description: { kind: 'text' },
  meta_keywords: { kind: 'text' },
  author: { kind: 'text' },
  thumbnail_path: { kind: 'text' },
}

const FRESH = { tags: [], is_published: false, meta_description: '', meta_keywords: '', author: '', thumbnail_path: '' }

export function blogPostTable(store: SandboxStore): Table {
  return store.table('blog_posts', ['published_date_ms', 'is_published', 'url_key'])
}

export interface SavedPost {
  row: Row
  urlTaken: boolean
}

/**
 * Every write must contain title and body; without `is_published` the post is unpublished. Source: the published blog
 * specification.
 */
function valuesOf(given: Fields): Fields {
  refuseV2IfAny(complaintsAboutMissing(['title'], given))
  if (given.body === undefined || given.body === null) refuseV2(400, 'body is required')
  const { values, errors } = readFields(RULES, given)
  refuseV2IfAny(errors)
  if (given.url !== undefined && !isValidUrl(given.url)) refuseV2(400, 'url is not a valid path')
  return { is_published: false, ...values, ...dateIn(values) }
}

/** A date as in mail headers. Source: the notes of the published operations. */
function dateIn({ published_date: text }: Fields): Fields {
  if (text === undefined) return {}
  if (!/^([A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} /.test(String(text)) || Number.isNaN(Date.parse(String(text))))
    refuseV2(400, 'published_date must be a date as in RFC 2822')
  return { published_date: toSecond(new Date(String(text))) }
}

function toSecond(moment: Date): string {
  return moment.toISOString().replace(/\.\d+Z$/, 'Z')
}

export function createPost(store: SandboxStore, given: Fields): SavedPost {
  return insertPost(store, { published_date: toSecond(new Date()), ...valuesOf(given), url: given.url })
}

/** Inserts a post. Used by the seeds and the create call. */
export function insertPost(store: SandboxStore, { url, ...fields }: Fields): SavedPost {
  const row = blogPostTable(store).insert({ ...FRESH, ...fields })
  return withAddress(store, row, url)
}

export function updatePost(store: SandboxStore, before: Row, given: Fields): SavedPost {
  return withAddress(store, blogPostTable(store).update(before.id, valuesOf(given)), given.url)
}

const ownerOf = ({ id }: Row): UrlOwner => ({ resource: 'blog_post', id })

/** A post is saved even if its address is taken. */
function withAddress(store: SandboxStore, row: Row, requested: unknown): SavedPost {
  if (typeof requested === 'string' && claimUrl(store, requested, ownerOf(row)))
    return { row: blogPostTable(store).update(row.id, { url: requested }), urlTaken: false }
  const urlTaken = typeof requested === 'string'
  if (row.url !== undefined) return { row, urlTaken }
  const url = freeUrl(store, '/blog', String(row.title))
  claimUrl(store, url, ownerOf(row))
  return { row: blogPostTable(store).update(row.id, { url }), urlTaken }
}

export function removePost(store: SandboxStore, row: Row): void {
  blogPostTable(store).delete(row.id)
  releaseUrl(store, ownerOf(row))
}

const LONGEST_SUMMARY = 400

/**
 * The answer has the date three times, and the body a second time without markup. Source: the examples of the published
 * blog specification.
 */
export function shownPost({ published_date, ...row }: Row): Fields {
  const moment = toSecond(new Date(String(published_date)))
  const plain = String(row.body).replace(/<[^>]*>/g, ' ')
  return {
    ...row,
    preview_url: row.url,
    summary: plain.length > LONGEST_SUMMARY ? `${plain.slice(0, LONGEST_SUMMARY)} [...]` : plain,
    published_date: { date: moment.replace('T', ' ').replace('Z', '.000000'), timezone_type: 1, timezone: '+00:00' },
    published_date_iso8601: moment.replace('Z', '+0000'),
  }
}

/** The `published_date` filter accepts the format of answers and that of requests. */
export function sameMoment(row: Row, text: string): boolean {
  return mailDate(new Date(String(row.published_date))) === mailDate(new Date(text))
}

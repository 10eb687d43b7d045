import { randomBytes } from 'node:crypto'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { type ArchiveError, withSettings } from './theme-archive.ts'
import { configurationsOf, originalArchive, type Theme, themeBy, type Which } from './theme-rows.ts'

/** A job, with the theme that it uploads or downloads. */
interface NewJob {
  kind: 'upload' | 'download'
  /** '' if the job failed. */
  theme_uuid: string
  which?: Which
  errors?: ArchiveError[]
}

/**
 * How long a link is valid, counted from the end of the job (our choice: the specification does not say). Source: "Get
 * a Theme Job".
 */
const LINK_SECONDS = 60
const USUAL_MS = 600

const jobTable = (store: SandboxStore): Table => store.table('theme_jobs', ['job_id', 'kind', 'link'])

/** When a job that starts now will be done. */
export function doneAt({ switches }: SandboxStore): number {
  return Date.now() + (typeof switches.theme_job_ms === 'number' ? switches.theme_job_ms : USUAL_MS)
}

export function begin(store: SandboxStore, job: NewJob, readyMs: number): string {
  const job_id = randomBytes(16).toString('hex')
  const link = randomBytes(16).toString('hex')
  jobTable(store).insert({ errors: [], ...job, job_id, link, started_ms: Date.now(), ready_ms: readyMs })
  return job_id
}

/**
 * Whether an upload is in progress: the platform runs one at a time. Source: the official theme tool, which waits for
 * it.
 */
export function uploadsNow(store: SandboxStore): boolean {
  return jobTable(store)
    .find({ kind: 'upload' })
    .some(({ ready_ms }) => Number(ready_ms) > Date.now())
}

export function jobShown(store: SandboxStore, jobId: string): Record<string, unknown> | undefined {
  const [row] = jobTable(store).find({ job_id: jobId })
  if (!row) return undefined
  const errors = row.errors as ArchiveError[]
  const status = statusOf(row)
  return {
    id: row.job_id,
    time: new Date(Number(row.started_ms)).toISOString(),
    status,
    percent_complete: { QUEUED: 0, WORKING: 50, COMPLETED: 100, FAILED: 100 }[status],
    result: status === 'COMPLETED' ? resultOf(store, row) : {},
    warnings: [],
    errors: status === 'FAILED' ? errors : [],
  }
}

function statusOf({ started_ms, ready_ms, errors }: Row): 'QUEUED' | 'WORKING' | 'COMPLETED' | 'FAILED' {
  const now = Date.now()
  if (now >= Number(ready_ms)) return (errors as ArchiveError[]).length > 0 ? 'FAILED' : 'COMPLETED'
  return now - Number(started_ms) < (Number(ready_ms) - Number(started_ms)) / 2 ? 'QUEUED' : 'WORKING'
}

/** The official theme tool reads these two fields. */
function resultOf({ imageBase }: SandboxStore, { kind, theme_uuid, link }: Row): Record<string, unknown> {
  if (kind === 'upload') return { theme_id: theme_uuid }
  return { download_url: `${imageBase.replace(/\/images$/, '')}/theme_downloads/${link}.zip` }
}

/** The bytes behind a link, which needs no token; undefined if the link is unknown or has expired. */
export function downloadBehind(store: SandboxStore, link: string): Buffer | undefined {
  const [row] = jobTable(store).find({ link, kind: 'download' })
  if (!row || statusOf(row) !== 'COMPLETED' || Date.now() > Number(row.ready_ms) + LINK_SECONDS * 1000) return undefined
  const theme = themeBy(store, String(row.theme_uuid))
  return theme && archiveBy(store, theme, row.which as Which)
}

/** The archive with the settings that were last saved for a storefront, unless `which` is `original`. */
function archiveBy(store: SandboxStore, theme: Theme, which: Which): Buffer {
  const archive = originalArchive(store, theme)
  const last = configurationsOf(store, theme)
    .filter(({ site_id }) => site_id !== 0)
    .at(-1)
  const variation = theme.variations.find(({ uuid }) => uuid === last?.variation_id)
  if (which === 'original' || !last || !variation) return archive
  return withSettings(archive, variation.external_id, last.settings)
}

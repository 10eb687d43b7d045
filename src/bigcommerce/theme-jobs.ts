import type { StoreClient } from './client.ts'
import { asRecord, PlatformError } from './errors.ts'

/** The outcome of a job, with the platform's message if it failed. */
export type ThemeJobEnd = { result: Record<string, unknown> } | { failed: string }

/** Waits between polls; the first ones are short, because a small theme takes about a second. */
const pollMs = [250, 500, 1000, 2000, 4000]
/** Our choice, because the platform names no limit. The next run checks the outcome again. */
const longestMs = 10 * 60_000

/** The `job_id`, at the top level of the answer according to the published specification. */
export function jobIdIn(body: unknown): string | undefined {
  const answer = asRecord(body)
  const id = answer.job_id ?? asRecord(answer.data).job_id
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** Polls a job until it has ended. */
export async function endOfThemeJob(
  client: Pick<StoreClient, 'get'>,
  jobId: string,
  wait: (ms: number) => Promise<void>,
): Promise<ThemeJobEnd> {
  for (let waited = 0, polls = 0; ; polls++) {
    const { status, result, errors } = await jobAt(client, jobId)
    if (status === 'COMPLETED') return { result: asRecord(result) }
    if (status === 'FAILED') return { failed: wordsOf(errors) }
    if (waited >= longestMs) return { failed: `it was not finished after ${longestMs / 60_000} minutes` }
    const ms = pollMs[polls] ?? 5000
    await wait(ms)
    waited += ms
  }
}

async function jobAt(client: Pick<StoreClient, 'get'>, jobId: string): Promise<Record<string, unknown>> {
  try {
    const { body } = await client.get(`/v3/themes/jobs/${encodeURIComponent(jobId)}`)
    return asRecord(asRecord(body).data)
  } catch (error) {
    // The store no longer knows the job, as its answer says.
    if (!(error instanceof PlatformError) || error.httpStatus === 401) throw error
    return { status: 'FAILED', errors: [{ message: error.title || error.message }] }
  }
}

function wordsOf(errors: unknown): string {
  const rows = (Array.isArray(errors) ? errors : []).map(asRecord)
  const words = rows.map(({ message, error }) => String(message ?? error ?? '')).filter((one) => one !== '')
  return words.length > 0 ? words.join(' ') : 'no reason given'
}

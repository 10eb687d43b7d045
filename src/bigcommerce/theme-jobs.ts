import type { StoreClient } from './client.ts'
import { asRecord, PlatformError } from './errors.ts'

/** What came of a job; the platform's words where it failed. */
export type ThemeJobEnd = { result: Record<string, unknown> } | { failed: string }

/** Waits between two questions: the first ones short, because a small theme is done in a second. */
const pollMs = [250, 500, 1000, 2000, 4000]
/** Our choice: nobody says how long one may take. Its outcome is looked for again by the next run. */
const longestMs = 10 * 60_000

/** Of `{ job_id }`, which is at the top of the answer in the published file. */
export function jobIdIn(body: unknown): string | undefined {
  const answer = asRecord(body)
  const id = answer.job_id ?? asRecord(answer.data).job_id
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** Asks for a job until it has ended. */
export async function endOfThemeJob(
  client: Pick<StoreClient, 'get'>,
  jobId: string,
  wait: (ms: number) => Promise<void>,
): Promise<ThemeJobEnd> {
  for (let waited = 0, polls = 0; ; polls++) {
    const { status, result, errors } = await jobAt(client, jobId)
    if (status === 'COMPLETED') return { result: asRecord(result) }
    if (status === 'FAILED') return { failed: wordsOf(errors) }
    if (waited >= longestMs) return { failed: `it was not done after ${longestMs / 60_000} minutes` }
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
    // The store knows nothing of the job any more, and its answer says so best.
    if (!(error instanceof PlatformError) || error.httpStatus === 401) throw error
    return { status: 'FAILED', errors: [{ message: error.title || error.message }] }
  }
}

function wordsOf(errors: unknown): string {
  const rows = (Array.isArray(errors) ? errors : []).map(asRecord)
  const words = rows.map(({ message, error }) => String(message ?? error ?? '')).filter((one) => one !== '')
  return words.length > 0 ? words.join(' ') : 'it did not say why'
}

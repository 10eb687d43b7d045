import { readdir, readFile } from 'node:fs/promises'
import { z } from 'zod'

/**
 * A call of a scenario. `{name.data.0.id}` in its path or body is replaced from the answer to the earlier call of that
 * name.
 */
const recordedCall = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  /** Path below `/stores/<hash>`, with the query. */
  path: z.string().startsWith('/v'),
  body: z.unknown().optional(),
})

/** Where the answer can be looked up. `probe` is the version of `storeferry probe` that called a throw-away store. */
const source = z.union([
  z.strictObject({ repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/), path: z.string().min(1) }),
  z.strictObject({ address: z.url() }),
  z.strictObject({ probe: z.string().min(1) }),
])

/**
 * Types by key path, such as `data[].name`: `text`, `number`, `boolean`, `null`, `list` or `object`, joined like
 * `null|text` if there are several.
 */
const shape = z.record(
  z.string(),
  z.string().regex(/^(boolean|list|null|number|object|text)(\|(list|null|number|object|text))*$/),
)

const recordedAnswer = z.strictObject({
  /** Unique within its file. */
  name: z.string().regex(/^[a-z0-9-]+$/),
  /** What the answer demonstrates, in one sentence. */
  shows: z.string().min(1),
  source,
  /** As precise as the source: `2023`, `2026-04` or `2021-07-19`. */
  date: z.string().regex(/^\d{4}(-\d\d){0,2}$/),
  /**
   * `recorded`: the answer itself was kept. `stated`: a person says so. `inferred`: what a client does only makes sense
   * if so.
   */
  class: z.enum(['recorded', 'stated', 'inferred']),
  /** Sandbox switches that must produce this answer, where real stores disagree. */
  switches: z.record(z.string(), z.unknown()).optional(),
  /** Calls that must succeed first. */
  given: z.array(recordedCall.extend({ as: z.string().optional() })).optional(),
  request: recordedCall,
  response: z.strictObject({
    status: z.number().int(),
    /** Header names in lower case. */
    headers: z.array(z.string().toLowerCase()).optional(),
    /** Null if there is no body. */
    body: shape.nullable(),
    /** Whether the source has the whole body, so that any other key is a difference. */
    whole: z.boolean(),
    /** Values by which clients recognise the answer, by key path. */
    values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  }),
})

export type RecordedAnswer = z.infer<typeof recordedAnswer>
export type RecordedCall = z.infer<typeof recordedCall>
export type Shape = z.infer<typeof shape>

/** A file is a list of answers. So is a report of `storeferry probe`. */
export const recordedAnswers = z.array(recordedAnswer)

/**
 * Every answer in a folder, by `<file>/<name>`.
 * @throws if a file has the wrong form, or a name occurs twice
 */
export async function readRecordedAnswers(folder: URL): Promise<Map<string, RecordedAnswer>> {
  const found = new Map<string, RecordedAnswer>()
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()) {
    const parsed = recordedAnswers.safeParse(JSON.parse(await readFile(new URL(file, folder), 'utf8')))
    if (!parsed.success)
      throw new Error(`${file} has not the form of recorded answers: ${z.prettifyError(parsed.error)}`)
    for (const answer of parsed.data) {
      const key = `${file.replace(/\.json$/, '')}/${answer.name}`
      if (found.has(key)) throw new Error(`${file} names ${answer.name} twice`)
      found.set(key, answer)
    }
  }
  return found
}

import { readdir, readFile } from 'node:fs/promises'
import { z } from 'zod'

/** A call of a scenario. `{name.data.0.id}` in its path or body is taken from the answer to the earlier call of that name. */
const recordedCall = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  /** Below `/stores/<hash>`, with its query. */
  path: z.string().startsWith('/v'),
  body: z.unknown().optional(),
})

/** Where anyone can look it up; `probe` is the version of `storeferry probe` that asked a throw-away store. */
const source = z.union([
  z.strictObject({ repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/), path: z.string().min(1) }),
  z.strictObject({ address: z.url() }),
  z.strictObject({ probe: z.string().min(1) }),
])

/** Types by key path, such as `data[].name`: `text`, `number`, `boolean`, `null`, `list` or `object`, several as `null|text`. */
const shape = z.record(
  z.string(),
  z.string().regex(/^(boolean|list|null|number|object|text)(\|(list|null|number|object|text))*$/),
)

const recordedAnswer = z.strictObject({
  /** Unique in its file. */
  name: z.string().regex(/^[a-z0-9-]+$/),
  /** What it shows, in one sentence. */
  shows: z.string().min(1),
  source,
  /** As exact as the source: `2023`, `2026-04` or `2021-07-19`. */
  date: z.string().regex(/^\d{4}(-\d\d){0,2}$/),
  /** `recorded`: the answer itself was kept. `stated`: a person says so. `inferred`: what a client does makes sense only if so. */
  class: z.enum(['recorded', 'stated', 'inferred']),
  /** Switches of the sandbox with which it has to answer so, where real stores disagree. */
  switches: z.record(z.string(), z.unknown()).optional(),
  /** Calls that have to succeed first. */
  given: z.array(recordedCall.extend({ as: z.string().optional() })).optional(),
  request: recordedCall,
  response: z.strictObject({
    status: z.number().int(),
    /** Names of headers, in lower case. */
    headers: z.array(z.string().toLowerCase()).optional(),
    /** Null without a body. */
    body: shape.nullable(),
    /** The source shows the whole body, so that any other key is a difference. */
    whole: z.boolean(),
    /** What clients recognise the answer by, by key path. */
    values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  }),
})

export type RecordedAnswer = z.infer<typeof recordedAnswer>
export type RecordedCall = z.infer<typeof recordedCall>
export type Shape = z.infer<typeof shape>

/** A file is a list of answers. A report of `storeferry probe` is such a file. */
export const recordedAnswers = z.array(recordedAnswer)

/** Every answer in a folder, by `<file>/<name>`. @throws when a file does not have the form, or a name is there twice */
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

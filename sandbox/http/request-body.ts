import type { IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import type { SandboxRoute, UploadedFile } from './resource.ts'

/** The body as a handler gets it. */
export interface ReadableBody {
  body: unknown
  files: ReadonlyMap<string, UploadedFile>
}

/** Why a body is refused. The caller turns it into an error of the right shape. */
export interface BodyProblem {
  status: number
  problem: string
  detail?: string
}

/** The largest body. The platform's limit is not published; its largest picture is 10 MB. */
export const MOST_BODY_BYTES = 20_000_000

const NO_FILES: ReadonlyMap<string, UploadedFile> = new Map()

export const TOO_LARGE = Symbol('too large')

/** undefined if the client disconnected before sending all of it: the call is dropped. */
export function readBytes(request: IncomingMessage): Promise<Buffer | typeof TOO_LARGE | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MOST_BODY_BYTES) chunks.push(chunk)
    })
    request.on('end', () => resolve(bytes > MOST_BODY_BYTES ? TOO_LARGE : Buffer.concat(chunks)))
    request.on('error', () => resolve(undefined))
  })
}

/** Decompresses the body. The size limit applies before and after. */
export function unpack(request: IncomingMessage, bytes: Buffer): Buffer | BodyProblem {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (bytes.length === 0 || encoding === 'identity') return bytes
  if (!/^(x-)?gzip$/i.test(encoding)) return { status: 415, problem: 'Unsupported Media Type' }
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_BODY_BYTES })
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    return tooLarge
      ? { status: 413, problem: 'The request payload is too large.' }
      : { status: 400, problem: 'Input is invalid', detail: 'the body is not gzip' }
  }
}

/** Parses JSON, or a form if the route accepts one. An empty body counts as no body, whatever its content type. */
export function parseBody(
  request: IncomingMessage,
  bytes: Buffer,
  form: SandboxRoute['form'],
): ReadableBody | BodyProblem | Promise<ReadableBody | BodyProblem> {
  if (bytes.length === 0) return { body: undefined, files: NO_FILES }
  const type = request.headers['content-type'] ?? ''
  if (form !== undefined && /^multipart\/form-data\b/i.test(type)) return parseForm(type, bytes)
  if (form === 'only' || !isJson(type)) return { status: 415, problem: 'Unsupported Media Type' }
  return parseJson(bytes)
}

function isJson(type: string): boolean {
  return /^application\/([a-z.]+\+)?json\b/i.test(type)
}

function parseJson(bytes: Buffer): ReadableBody | BodyProblem {
  try {
    return { body: JSON.parse(bytes.toString('utf8')), files: NO_FILES }
  } catch {
    return { status: 400, problem: 'Input is invalid', detail: 'the body is not JSON' }
  }
}

async function parseForm(type: string, bytes: Buffer): Promise<ReadableBody | BodyProblem> {
  try {
    return await readForm(type, bytes)
  } catch {
    return { status: 400, problem: 'Input is invalid', detail: 'the body is not a multipart form' }
  }
}

/**
 * Parses a form. If several fields have the same name, the last one wins.
 *
 * @throws the parser's error if the form is malformed
 */
function readForm(type: string, bytes: Buffer): Promise<ReadableBody> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>()
    const files = new Map<string, UploadedFile>()
    const reader = new Busboy({ headers: { 'content-type': type }, limits: { fieldSize: MOST_BODY_BYTES } })
    reader.on('field', (name, value) => void fields.set(name, value))
    reader.on('file', (name, stream, fileName, _encoding, contentType) => {
      collect(stream, (content) => files.set(name, { fileName, contentType, bytes: content }), reject)
    })
    reader.on('error', reject)
    reader.on('finish', () => resolve({ body: Object.fromEntries(fields), files }))
    reader.end(bytes)
  })
}

function collect(stream: BusboyFileStream, done: (content: Buffer) => void, failed: (error: Error) => void): void {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  stream.on('end', () => done(Buffer.concat(chunks)))
  stream.on('error', failed)
}

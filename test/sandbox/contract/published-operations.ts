import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { findSpecs } from '../../specs/find-specs.ts'
import { manifest } from '../../specs/manifest.ts'
import { isObject, resolve, type Schema } from './schema-check.ts'

/** Undefined where there are none: then the tests that need them are skipped. */
export const specsFolder = findSpecs()

/** Titles of tests that are skipped say how to get them to run. */
export function orHowToGetSpecs(title: string): string {
  return specsFolder ? title : `${title}: run \`npm run specs\` or set BIGCOMMERCE_SPECS`
}

const METHODS = ['get', 'post', 'put', 'delete'] as const

export interface PublishedOperation {
  /** The file's path below the folder of the published files. */
  file: string
  document: Schema
  operation: Schema
  /** Those of its path, which all operations there share, and its own. */
  parameters: unknown[]
}

export interface PublishedAnswer {
  document: Schema
  /** Media types with their schemas; empty when the answer has no body. */
  content: Record<string, Schema>
}

/** `GET /v3/catalog/brands/{}` for both the file's `{brand_id}` and a route's `:brandId`: only the place counts. */
export function operationKey(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replace(/\{[^}]*\}|:\w+/g, '{}').replace(/\/$/, '')}`
}

/** All operations of all published files; of two that describe the same one the first file by name counts. None without files. */
export function readPublishedOperations(): Map<string, PublishedOperation> {
  const operations = new Map<string, PublishedOperation>()
  if (!specsFolder) return operations
  for (const { path } of manifest.files) {
    for (const [key, operation] of operationsOf(specsFolder, path)) {
      if (!operations.has(key)) operations.set(key, operation)
    }
  }
  return operations
}

function operationsOf(folder: string, file: string): [string, PublishedOperation][] {
  // Some files repeat a key; the last one counts there, as it does for most readers.
  const text = readFileSync(join(folder, file), 'utf8')
  const document = parse(text, { uniqueKeys: false, logLevel: 'error' }) as Schema
  const base = baseOf(document)
  return Object.entries(isObject(document.paths) ? document.paths : {}).flatMap(([path, item]) =>
    METHODS.flatMap((method): [string, PublishedOperation][] => {
      const operation = isObject(item) ? item[method] : undefined
      if (!isObject(operation)) return []
      const parameters = [item, operation].flatMap((one) =>
        isObject(one) && Array.isArray(one.parameters) ? one.parameters : [],
      )
      return [[operationKey(method, base + path), { file, document, operation, parameters }]]
    }),
  )
}

/** `/v3` of `https://api.bigcommerce.com/stores/{store_hash}/v3`. */
function baseOf(document: Schema): string {
  const server: unknown = Array.isArray(document.servers) ? document.servers[0] : undefined
  const address = isObject(server) ? server.url : document.basePath
  return /\/v[23]\b/.exec(String(address))?.[0] ?? ''
}

export function publishedAnswer(
  { document, operation }: PublishedOperation,
  status: number,
): PublishedAnswer | undefined {
  const answer = resolve(document, resolve(document, operation.responses)?.[status])
  if (!answer) return undefined
  return { document, content: isObject(answer.content) ? (answer.content as Record<string, Schema>) : {} }
}

export function publishedStatuses({ operation }: PublishedOperation): number[] {
  return Object.keys(isObject(operation.responses) ? operation.responses : {}).map(Number)
}

export function publishedBody(
  { document, operation }: PublishedOperation,
  mediaType = 'application/json',
): Schema | undefined {
  const content = resolve(document, operation.requestBody)?.content
  const body = isObject(content) ? content[mediaType] : undefined
  return isObject(body) ? resolve(document, body.schema) : undefined
}

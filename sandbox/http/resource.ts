import type { SandboxStore } from '../store/store.ts'

/** A file of a multipart form, e.g. `image_file`. */
export interface UploadedFile {
  fileName: string
  contentType: string
  bytes: Buffer
}

/** One call as a resource sees it: authenticated, scoped, within quota, with its JSON body read. */
export interface SandboxRequest {
  store: SandboxStore
  /** The API account behind the token; metafields remember it as `owner_client_id`. */
  clientId: string
  scopes: ReadonlySet<string>
  method: string
  /** Named parts of the path, still strings. */
  params: Record<string, string>
  query: URLSearchParams
  /** Parsed JSON, or the plain fields of a form; undefined when the request had no body. */
  body: unknown
  /** Files of a multipart form by field name; empty for JSON. */
  files: ReadonlyMap<string, UploadedFile>
}

export interface SandboxAnswer {
  status: number
  /** Left out for 204. */
  body?: unknown
}

/**
 * `read`, `write` and `heavy` are the latency classes. `cap` is the number of requests the platform serves at once on this
 * endpoint per store; more get a 429 without quota headers.
 */
export interface SandboxRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/stores/<hash>`, e.g. `/v3/catalog/brands/:brandId`. */
  path: string
  /** Scope that must be held; `_read_only` of it is enough for GET. */
  scope: string
  /** Not even reading goes with `_read_only`. */
  modifyOnly?: true
  latency: 'read' | 'write' | 'heavy'
  cap?: number
  /** `multipart/form-data` is accepted besides JSON, or only it; absent: JSON only. */
  form?: 'also' | 'only'
  handle(request: SandboxRequest): SandboxAnswer | Promise<SandboxAnswer>
}

/** One resource of the platform: one file in a folder of `resources/` and one line in `registry.ts`. */
export interface SandboxResource {
  key: string
  routes: SandboxRoute[]
}

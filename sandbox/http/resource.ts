import type { SandboxStore } from '../store/store.ts'

/** A file of a multipart form, e.g. `image_file`. */
export interface UploadedFile {
  fileName: string
  contentType: string
  bytes: Buffer
}

/** One call as a resource sees it: authenticated, within scope and quota, with its body parsed. */
export interface SandboxRequest {
  store: SandboxStore
  /** The API account of the token; metafields store it as `owner_client_id`. */
  clientId: string
  scopes: ReadonlySet<string>
  method: string
  /** Path parameters, as strings. */
  params: Record<string, string>
  query: URLSearchParams
  /** Parsed JSON, or the plain fields of a form; undefined if the request had no body. */
  body: unknown
  /** Files of a multipart form by field name; empty for JSON. */
  files: ReadonlyMap<string, UploadedFile>
}

export interface SandboxAnswer {
  status: number
  /** Absent for 204. */
  body?: unknown
}

/**
 * `read`, `write` and `heavy` are the latency classes. `cap` is how many requests of a store the platform serves at a
 * time on this endpoint; a request beyond it gets a 429 without quota headers.
 */
export interface SandboxRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/stores/<hash>`, e.g. `/v3/catalog/brands/:brandId`. */
  path: string
  /** The modify scope; for GET its `_read_only` form is enough. */
  scope: string
  /** Reading, too, needs the modify scope. */
  modifyOnly?: true
  latency: 'read' | 'write' | 'heavy'
  cap?: number
  /** Accepts `multipart/form-data` in addition to JSON, or exclusively. JSON only by default. */
  form?: 'also' | 'only'
  handle(request: SandboxRequest): SandboxAnswer | Promise<SandboxAnswer>
}

/** One resource of the platform: a file in a folder of `resources/` and a line in `registry.ts`. */
export interface SandboxResource {
  key: string
  routes: SandboxRoute[]
}

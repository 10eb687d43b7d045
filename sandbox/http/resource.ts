import type { SandboxStore } from '../store/store.ts'

/** A file of a multipart form, e.g. `image_file`. */
export interface UploadedFile {
  fileName: string
  contentType: string
  bytes: Buffer
}

/** One call as a handler gets it: authenticated, within scope and quota, with its body parsed. */
export interface SandboxRequest {
  store: SandboxStore
  /** The API account that the token belongs to; metafields store it as `owner_client_id`. */
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
 * A route. `read`, `write` and `heavy` are latency classes. `cap` is how many requests to one store the platform
 * handles on this endpoint at a time; any more get a 429 without quota headers.
 */
export interface SandboxRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path below `/stores/<hash>`, e.g. `/v3/catalog/brands/:brandId`. */
  path: string
  /** The modify scope. For GET, its `_read_only` form is enough. */
  scope: string
  /** Reading needs the modify scope too. */
  modifyOnly?: true
  latency: 'read' | 'write' | 'heavy'
  cap?: number
  /** Accepts `multipart/form-data` besides JSON, or instead of it. Absent: only JSON. */
  form?: 'also' | 'only'
  handle(request: SandboxRequest): SandboxAnswer | Promise<SandboxAnswer>
}

/** One resource of the platform: a file in a folder of `resources/`, and a line in `registry.ts`. */
export interface SandboxResource {
  key: string
  routes: SandboxRoute[]
}

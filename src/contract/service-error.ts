import { limits } from './primitives/limits.ts'

/** Every error code of the API with its HTTP status. */
export const errorStatuses = {
  malformed_request: 400,
  unauthorized: 401,
  invalid_credentials: 401,
  store_migration_disabled: 403,
  insufficient_stores: 403,
  second_step_required: 403,
  reauthentication_required: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  invalid_transition: 409,
  idempotency_conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  misdirected_request: 421,
  validation_failed: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  platform_error: 502,
  unavailable: 503,
} as const
export type ErrorCode = keyof typeof errorStatuses

/** The path above the page of each code. */
export const errorHelpPath = '/app/help/errors'

/**
 * An error meant for the caller: the message says what is wrong, with which object, and what to do. Never contains a
 * secret.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode
  /** HTTP status of the platform's response; only with `platform_error`. */
  readonly upstreamStatus: number | undefined
  /** Messages by dotted path, of the first fields; only with `validation_failed`. */
  readonly errors: Record<string, string[]> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      upstreamStatus?: number
      errors?: Record<string, string[]>
      retryAfterSeconds?: number
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: details.cause })
    this.name = 'ServiceError'
    this.code = code
    this.upstreamStatus = details.upstreamStatus
    this.errors = details.errors && Object.fromEntries(Object.entries(details.errors).slice(0, limits.refusedFields))
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

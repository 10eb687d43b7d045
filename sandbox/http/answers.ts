import type { SandboxAnswer, SandboxRequest } from './resource.ts'

/** The `type` of every v3 error. Source: BigCommerce "API status codes". */
const STATUS_PAGE = 'https://developer.bigcommerce.com/api-docs/getting-started/api-status-codes'

export interface ErrorBody {
  status: number
  title: string
  type: string
  errors: Record<string, string>
}

/** The inner part of a v3 error, for answers that nest it (207 and batch answers). */
export function errorBody(status: number, title: string, errors: Record<string, string> = {}): ErrorBody {
  return { status, title, type: STATUS_PAGE, errors }
}

export function v3Error(status: number, title: string, errors: Record<string, string> = {}): SandboxAnswer {
  return { status, body: errorBody(status, title, errors) }
}

/** v2 errors are arrays. */
export function v2Error(status: number, message: string, details?: Record<string, unknown>): SandboxAnswer {
  return { status, body: [details ? { status, message, details } : { status, message }] }
}

export function notFound(title = 'The resource at that URL is not found.'): SandboxAnswer {
  return v3Error(404, title)
}

/** The answer to an oversized batch (shape M). `what` is the platform's word for the items. */
export function batchTooLarge(max: number, what = 'items'): SandboxAnswer {
  return v3Error(413, `The request payload is too large. The maximum ${what} allowed in the array is ${max}.`)
}

/** 200 with the v3 envelope, also for POSTs to the v3 catalogue. */
export function ok(data: unknown, meta: unknown = {}): SandboxAnswer {
  return { status: 200, body: { data, meta } }
}

export function noContent(): SandboxAnswer {
  return { status: 204 }
}

/** Thrown inside a handler or transaction to answer at once. Rolls the transaction back. */
export class Refusal extends Error {
  answer: SandboxAnswer

  constructor(answer: SandboxAnswer) {
    super(`refused with ${answer.status}`)
    this.answer = answer
  }
}

/** Throws a v3 error. */
export function refuse(status: number, title: string, errors: Record<string, string> = {}): never {
  throw new Refusal(v3Error(status, title, errors))
}

/**
 * Wraps a handler so that its 422 looks like a batch error: nested in `errors`, with an empty `meta`. Source:
 * GeneralErrorWithErrors of the published category trees specification.
 */
export function nestingRefusals(handle: (request: SandboxRequest) => SandboxAnswer) {
  return (request: SandboxRequest): SandboxAnswer => {
    try {
      return handle(request)
    } catch (error) {
      if (!(error instanceof Refusal) || error.answer.status !== 422) throw error
      return { status: 422, body: { errors: error.answer.body, meta: {} } }
    }
  }
}

import type { ErrorCode, ServiceError } from '../contract/service-error.ts'
import { snakeCase } from './present.ts'
import type { Subject, Tool } from './tool.ts'

/** What a model reads when a call fails. Always in our own words, always with the next step (S17). */
export interface ToolError {
  error: ErrorCode
  message: string
  next_step: string
  /** Messages by argument. */
  errors?: Record<string, string[]>
  /** The HTTP status of the commerce platform's response. */
  upstream_status?: number
}

const missing: Record<Subject, { message: string; next: string }> = {
  run: { message: 'Your organisation has no run with this id.', next: 'Call list_runs and use a run_id from there.' },
  store: {
    message: 'No store with this hash is connected to your organisation.',
    next: 'Call list_stores and use a hash from there.',
  },
  issue: {
    message: 'Your organisation has no issue with this id.',
    next: 'Call list_run_issues or search_issues and use an issue_id from there.',
  },
  item: {
    message: 'The store has no such item, or is not connected to your organisation.',
    next: 'Call search_catalog to find the id of the item, or list_stores to find the hash of the store.',
  },
  storefront: {
    message: 'The store has no storefront with this id. It may be that of a channel of another type.',
    next: 'Call list_storefronts with type storefront and use an id from there.',
  },
}

const messages: Partial<Record<ErrorCode, { message: string; next: string }>> = {
  forbidden: {
    message: 'The role of the signed-in user does not permit this.',
    next: 'Tell the user that an owner of the organisation can see it. Do not try again.',
  },
  platform_error: {
    message: 'The store refused the request; upstream_status has its HTTP status.',
    next: 'Call check_store_access to see whether the store can be read.',
  },
  unavailable: {
    message: 'The store or the service is not responding.',
    next: 'Try once more in a minute; then tell the user.',
  },
  rate_limited: { message: 'Too many requests.', next: 'Wait a minute, then continue.' },
  validation_failed: { message: 'Some arguments are not valid; see errors.', next: 'Correct them and call again.' },
}

const unforeseen = {
  message: 'Something went wrong on our side.',
  next: 'Try once more; if it fails again, tell the user.',
}

/** Arguments that operations call otherwise, apart from capital letters instead of underscores. */
const otherNames: Record<string, string> = {
  id: 'run_id',
  hash: 'store',
  source: 'source_store',
  destination: 'destination_store',
  storefront: 'storefront_id',
  text: 'query',
  component: 'entity',
  kind: 'finding',
  conflictStrategy: 'strategy',
  createdFrom: 'created_after',
  sourceId: 'source_item_id',
  destinationId: 'destination_item_id',
}

/** Routes that messages of the API give as remedies, with the tools that answer the same. A longer one comes first. */
const toolsOf = [
  [/GET \/v2\/stores\/[\w{}]+\/storefronts/g, 'list_storefronts'],
  [/GET \/v2\/stores/g, 'list_stores'],
] as const

function remedyAsTool(message: string): string {
  return toolsOf.reduce((text, [route, tool]) => text.replaceAll(route, tool), message)
}

/** The messages of an operation by the arguments of the tool, which are all that a model knows. */
function byArgument(errors: Record<string, string[]>, input: Tool['input']): Record<string, string[]> {
  const named = Object.entries(errors).map(([path, said]) => {
    const [field = '', ...within] = path.split('.')
    const known = [field, snakeCase(field), otherNames[field] ?? ''].find((name) => Object.hasOwn(input.shape, name))
    return [[known ?? field, ...within].join('.'), said.map(remedyAsTool)] as const
  })
  return Object.fromEntries(named)
}

/** @param errors by argument, if the tool itself refused them; otherwise the error is of an operation */
export function toolError(
  { code, errors: ofOperation, upstreamStatus }: ServiceError,
  { subject, input }: Tool,
  errors = ofOperation && byArgument(ofOperation, input),
): ToolError {
  const { message, next } = (code === 'not_found' && subject ? missing[subject] : messages[code]) ?? unforeseen
  return {
    error: code,
    message,
    next_step: next,
    ...(errors && { errors }),
    ...(upstreamStatus !== undefined && { upstream_status: upstreamStatus }),
  }
}

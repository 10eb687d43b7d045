import type { z } from 'zod'
import type { Caller } from '../../accounts/caller.ts'
import {
  isOpenToBearerTokens,
  isReading,
  mayCall,
  type OperationName,
  operationPermissions,
} from '../../contract/accounts/permissions.ts'
import { limits } from '../../contract/primitives/limits.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { requestingOrganisation } from '../../db/core/connection-shares.ts'
import { Slots } from '../../model/slots.ts'
import { Answer, type By, type Deps, type Operation } from './operation.ts'

/**
 * The only way to call an operation: checks the permission, the input, and how recently the password was given, then
 * runs it.
 *
 * @throws ServiceError `forbidden`, `validation_failed` or `reauthentication_required`, or what the operation throws
 */
export async function perform<Input, Output, Asker extends By>(
  operation: Operation<Input, Output, Asker>,
  given: unknown,
  by: Asker,
  deps: Deps,
): Promise<Answer<Output>> {
  authorise(operation.name, by)
  const input = parseInput(operation.input, given)
  if (operation.needsProof?.(input)) requireRecentProof(by, deps.clock)
  const run = async () => operation.run(input, by, deps)
  const answer = 'organisationId' in by ? await runFor(by, run, operation.isLong?.(input) ?? false, deps) : await run()
  return answer instanceof Answer ? answer : new Answer(answer)
}

/** With the organisation's share of connections to the database. */
function runFor<Result>(
  { organisationId }: Pick<Caller, 'organisationId'>,
  run: () => Promise<Result>,
  isLong: boolean,
  deps: Pick<Deps, 'clock'>,
): Promise<Result> {
  return requestingOrganisation.run(organisationId, () => (isLong ? inTurn(organisationId, run, deps) : run()))
}

/** By organisation; only those with one under way. */
const longRequests = new Map<string, Slots>()

/**
 * Long requests of an organisation wait for each other, so that they never take all connections to the database (S25), but not for long:
 * the caller may have given up, or may not be allowed any more (S6).
 */
async function inTurn<Result>(
  organisationId: string,
  work: () => Promise<Result>,
  { clock }: Pick<Deps, 'clock'>,
): Promise<Result> {
  const slots = longRequests.get(organisationId) ?? new Slots(limits.longRequestsAtOnce)
  longRequests.set(organisationId, slots)
  const [tooLate, begun] = [new AbortController(), new AbortController()]
  clock.sleep(limits.longRequestWaitSeconds * 1000, begun.signal).then(
    () => tooLate.abort(tooManyLongRequests()),
    () => undefined,
  )
  try {
    return await slots.take(() => {
      begun.abort()
      return work()
    }, tooLate.signal)
  } finally {
    if (slots.isIdle) longRequests.delete(organisationId)
  }
}

function tooManyLongRequests(): ServiceError {
  return new ServiceError(
    'unavailable',
    `Your organisation has ${limits.longRequestsAtOnce} requests under way that go through whole migrations. Try again in a few seconds.`,
    { retryAfterSeconds: 5 },
  )
}

/** Refuses by default (S18): each kind of caller may only use the operations for that kind. */
function authorise(name: OperationName, by: By): void {
  if (isAllowed(name, by)) return
  if ('role' in by && mayCall(by.role, name)) {
    throw new ServiceError('forbidden', 'Not available with a bearer token. Sign in to the portal.')
  }
  throw new ServiceError(
    'forbidden',
    `Your role does not permit this (${operationPermissions[name]}). Ask an owner of the organisation.`,
  )
}

function isAllowed(name: OperationName, by: By): boolean {
  const permission = operationPermissions[name]
  if (permission === 'public') return true
  if ('role' in by) return mayCall(by.role, name) && isOpenTo(by, name)
  if (permission === 'signed-in') return 'user' in by
  return permission === 'migrations.manage' && 'userId' in by
}

/**
 * An open browser does not prove who is using it. Callers with a bearer token have no password to give again, and the
 * command line has no session.
 *
 * @throws ServiceError `reauthentication_required`
 */
function requireRecentProof(by: By, clock: Deps['clock']): void {
  if (!('sessionHash' in by) || by.sessionHash === undefined) return
  const { provedAt } = by
  if (provedAt && clock.now().getTime() - provedAt.getTime() < limits.proofSeconds * 1000) return
  throw new ServiceError(
    'reauthentication_required',
    'This takes your password again: you last gave it more than 15 minutes ago. Send it to POST /v2/session/reauthentication, then repeat the request.',
  )
}

/** How the member authenticated may limit the role further. */
function isOpenTo(by: Caller, name: OperationName): boolean {
  if ('secretVersion' in by) return isOpenToBearerTokens(name)
  return 'sessionHash' in by || isReading(name)
}

function parseInput<Input>(schema: z.ZodType<Input>, given: unknown): Input {
  if (countValues(given) > limits.bodyValues)
    throw new ServiceError('payload_too_large', `Send at most ${limits.bodyValues} values in one request.`)
  const parsed = schema.safeParse(given, { error: plainMessage })
  const errors = parsed.success ? brokenTexts(parsed.data) : messagesByPath(parsed.error.issues)
  if (parsed.success && Object.keys(errors).length === 0) return parsed.data
  throw new ServiceError('validation_failed', 'Some fields are not valid; see errors.', { errors })
}

/** Without recursion, because lists may be nested more deeply than calls. */
function countValues(given: unknown): number {
  const values = [given]
  for (const value of values)
    if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) values.push(one)
  return values.length
}

/** In place of "Too small: expected number to be >=1"; a schema's own message comes first. */
export function plainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'Must be given.'
  if (Number.isNaN(issue.input)) return 'Must be a number.'
  if (issue.code === 'invalid_type') return `Must be ${kinds[issue.expected] ?? issue.expected}.`
  if (issue.code === 'invalid_value') return `Must be one of ${issue.values.join(', ')}.`
  if (issue.code === 'invalid_format' && issue.format === 'uuid') return 'Must be an id, as the lists have it.'
  if (issue.code === 'too_small') return bound(issue.origin, 'least', Number(issue.minimum))
  return issue.code === 'too_big' ? bound(issue.origin, 'most', Number(issue.maximum)) : undefined
}

/** By zod's name of it. */
const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

function bound(origin: string, which: 'least' | 'most', value: number): string {
  const unit = { string: 'characters', array: 'entries' }[origin]
  if (unit === undefined) return `Must be at ${which} ${value}.`
  return which === 'least' && value === 1 ? 'Must not be empty.' : `Must have at ${which} ${value} ${unit}.`
}

/** PostgreSQL can neither store nor compare NUL and lone surrogates. */
function brokenTexts(value: unknown, path = ''): Record<string, string[]> {
  if (typeof value === 'string') {
    if (value.isWellFormed() && !value.includes('\0')) return {}
    return { [path]: ['Must not contain the NUL character or lone surrogates.'] }
  }
  if (typeof value !== 'object' || value === null) return {}
  const within = Object.entries(value).map(([key, one]) => brokenTexts(one, path === '' ? key : `${path}.${key}`))
  return Object.assign({}, ...within)
}

/** `{dotted.path: [message]}`, where `body` is the whole input. An unknown key is reported under its own name. */
function messagesByPath(issues: z.core.$ZodIssue[]): Record<string, string[]> {
  // Without a prototype, because a caller may send a key called __proto__.
  const messages: Record<string, string[]> = Object.create(null)
  function add(path: PropertyKey[], message: string) {
    const dotted = path.map(String).join('.') || 'body'
    messages[dotted] = [...(messages[dotted] ?? []), message]
  }
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) add([...issue.path, key], 'Unknown key.')
    else add(issue.path, issue.message)
  }
  return messages
}

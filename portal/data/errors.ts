import { ApiError } from './client.ts'

export interface Problem {
  title: string
  text: string
  /** Set if the fault is ours. Support can find the request by it. */
  reference: string | null
}

/** The only function that turns an error into words. The message of the API says what is wrong and what to do. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof ApiError)) return { title: ours, text: 'Reload the page.', reference: null }
  const { httpStatus, code, message, requestId } = error
  if (httpStatus === 403 && code === 'store_migration_disabled')
    return { title: 'Store Migration is off', text: storeMigrationOff, reference: null }
  if (code === 'reauthentication_required')
    return { title: 'Not allowed', text: 'Your password is needed. Try again, and give it.', reference: null }
  if (code === 'unavailable') return { title: busy, text: spelledHere(message), reference: null }
  if (httpStatus >= 500 && httpStatus !== 502)
    return {
      title: ours,
      text: requestId === null ? 'Try again in a minute.' : 'Try again. If it stays, report the reference.',
      reference: requestId,
    }
  const byField = Object.values(fieldErrors(error))
  // The message then only says that there are some, for callers who read JSON.
  const text = code === 'validation_failed' && byField.length > 0 ? byField.join(' ') : spelledHere(message)
  return { title: titles[httpStatus] ?? 'This did not work', text, reference: null }
}

/**
 * The error of a screen that could not be loaded. Our own words replace messages of the API that mention roles, ids and
 * routes, which are meant for scripts.
 */
export function screenProblemOf(error: unknown): Problem {
  const problem = problemOf(error)
  const own = error instanceof ApiError && problem.title === titles[error.httpStatus] && screenWords[error.code]
  return own ? { ...problem, text: own } : problem
}

/** One line, to display beside a button. */
export function sentenceOf(error: unknown): string {
  const { title, text, reference } = problemOf(error)
  const said = title === ours ? `${title}. ${text}` : text
  return reference === null ? said : `${said} Reference ${reference}.`
}

/** The error to display if a migration was no longer as the screen displayed it; undefined for any other error. */
export function changedMeanwhile(error: unknown): ApiError | undefined {
  if (!(error instanceof ApiError) || error.httpStatus !== 409) return undefined
  return new ApiError({ ...error, message: 'It had changed meanwhile. You see it as it is now.' })
}

/** Messages by field of the form; empty if the error is about something else. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(
    Object.entries(error.errors).map(([field, messages]) => [field, spelledHere(messages.join(' '))]),
  )
}

/** The API is in British English, the portal in American English, like the control panel. */
function spelledHere(text: string): string {
  return text.replaceAll(/\borganisation(s?)\b/g, 'organization$1')
}

const ours = 'Something broke on our side'
const busy = 'The service is busy'

const storeMigrationOff = 'This organization no longer has Store Migration. Ask the people who run this service.'

const screenWords: Partial<Record<ApiError['code'], string>> = {
  forbidden: 'Your role does not allow this.',
  not_found: 'There is nothing at this address in this organization. It may belong to another one.',
}

const titles: Record<number, string> = {
  0: 'No connection',
  401: 'Signed out',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Something changed meanwhile',
  422: 'Check your entries',
  429: 'Too many requests',
  502: 'BigCommerce refused',
  503: busy,
}

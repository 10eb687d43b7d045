import { expect, test, vi } from 'vitest'

vi.stubGlobal('location', { origin: 'https://storeferry.example' })
const { apiError } = await import('./client.ts')
const { fieldErrors, screenProblemOf, sentenceOf } = await import('./errors.ts')
vi.unstubAllGlobals()

const answered = (status: number, body: unknown) => apiError(new Response(null, { status }), body)

test.each([
  502, 503, 504,
])('the page of a proxy with status %d is neither called an answer of BigCommerce nor left without words', (status) => {
  const error = answered(status, '<html>Bad gateway</html>')
  const problem = screenProblemOf(error)
  expect(problem.title).toBe('The service is busy')
  expect(problem.text).toBe('The service does not answer at the moment. Try again in a minute.')
  expect(sentenceOf(error)).toBe(problem.text)
})

test.each([400, 401, 403, 404, 409, 413, 422, 429])('a refusal of a proxy with status %d has words', (status) => {
  expect(sentenceOf(answered(status, undefined))).not.toBe('')
})

test('what BigCommerce and the service said themselves stays as they said it', () => {
  const refused = { error: 'platform_error', message: 'BigCommerce answered 401 for Old shop.' }
  expect(screenProblemOf(answered(502, refused))).toMatchObject({
    title: 'BigCommerce refused',
    text: refused.message,
  })
  const busy = { error: 'unavailable', message: 'Come back in a minute.' }
  expect(sentenceOf(answered(503, busy))).toBe(busy.message)
  const broken = { error: 'internal_error', message: 'x' }
  expect(sentenceOf(answered(500, broken))).toMatch(/^Something broke on our side/)
})

test('what the service says about an organization is spelled as the screens spell it, and the name of one stays', () => {
  const message = 'Your organisation has no migration yet, says "Organisation of Lamps".'
  const said = 'Your organization has no migration yet, says "Organisation of Lamps".'
  expect(sentenceOf(answered(409, { error: 'conflict', message }))).toBe(said)
  expect(fieldErrors(answered(422, { error: 'validation_failed', message, errors: { name: [message] } }))).toEqual({
    name: said,
  })
})

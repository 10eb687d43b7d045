import { afterAll, expect, test, vi } from 'vitest'

vi.stubGlobal('location', { origin: 'https://storeferry.example' })
for (const storage of ['sessionStorage', 'localStorage']) vi.stubGlobal(storage, { getItem: () => null })
// The client keeps the `fetch` that is there when it is loaded.
const answer = vi.fn<() => Response>()
vi.stubGlobal('fetch', async () => answer())
const { client, orThrow } = await import('./client.ts')
const { download } = await import('./download.ts')
const { sentenceOf } = await import('./errors.ts')

afterAll(() => void vi.unstubAllGlobals())

/** Begins as usual; then the connection is gone. */
function cutOff(status: number): Response {
  let isBegun = false
  const body = new ReadableStream({
    pull(controller) {
      if (isBegun) return controller.error(new TypeError('network error'))
      isBegun = true
      controller.enqueue(new TextEncoder().encode('{"id":'))
    },
  })
  return new Response(body, { status })
}

test.each([
  ['a file', () => download('/v2/migrations/7/issues.csv', {})],
  ['a list', () => orThrow(client.GET('/v2/stores'))],
])('%s that is cut off on its way says so, and what to do', async (_, load) => {
  answer.mockReturnValueOnce(cutOff(200))
  const error = await load().catch((reason: unknown) => reason)
  expect(sentenceOf(error)).toBe(
    'The answer of the service did not arrive in full. Check your connection, then try again.',
  )
})

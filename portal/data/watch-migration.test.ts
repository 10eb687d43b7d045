import { afterAll, afterEach, expect, test, vi } from 'vitest'

vi.stubGlobal('location', { origin: 'https://storeferry.example' })
for (const storage of ['sessionStorage', 'localStorage']) vi.stubGlobal(storage, { getItem: () => null })
const { watchMigration } = await import('./watch-migration.ts')

afterEach(() => void vi.useRealTimers())
afterAll(() => void vi.unstubAllGlobals())

test('a stream that is closed each time before it says anything is given up, and the page polls instead', async () => {
  vi.useFakeTimers()
  const ask = vi.fn(async () => new Response(''))
  vi.stubGlobal('fetch', ask)
  const onGiveUp = vi.fn()
  const stop = watchMigration('7', { onMigration: () => undefined, onGiveUp })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onGiveUp).toHaveBeenCalledOnce()
  expect(ask).toHaveBeenCalledTimes(3)
  stop()
})

test('a stream that is cut after it said something is opened again, from where it was', async () => {
  vi.useFakeTimers()
  const migrations: unknown[] = []
  let n = 0
  const ask = vi.fn(async (_: Request) => {
    n += 1
    return new Response(`id: ${n}\nevent: migration\ndata: {"n":${n}}\n\n`)
  })
  vi.stubGlobal('fetch', ask)
  const onGiveUp = vi.fn()
  const stop = watchMigration('7', { onMigration: (one) => migrations.push(one), onGiveUp })
  await vi.advanceTimersByTimeAsync(10_000)
  stop()
  expect(onGiveUp).not.toHaveBeenCalled()
  expect(migrations.length).toBeGreaterThan(5)
  expect(ask.mock.calls[1]?.[0].headers.get('last-event-id')).toBe('1')
})

import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'

/** The process with options that it cannot start with. */
function runInVain(options: string): Promise<{ code: number | undefined; errors: string; output: string }> {
  return new Promise((resolve) => {
    // Killed after a while, so that a sandbox that does start fails the test and does not keep running.
    execFile(process.execPath, ['sandbox/main.ts', options], { timeout: 20_000 }, (error, output, errors) => {
      resolve({ code: Number(error?.code), errors, output })
    })
  })
}

test('the sandbox process says in one line why it does not start, whichever port is in use', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  try {
    for (const [options, name] of [
      [{ port }, 'port'],
      [{ tls: true, tlsPort: port }, 'TLS port'],
    ] as const) {
      const { code, errors, output } = await runInVain(JSON.stringify({ stores: [], ...options }))
      const remedy = `stop the program that uses it, or choose another ${name} (0 for any free port)`
      expect([code, errors, output]).toEqual([1, `sandbox: Port ${port} on 127.0.0.1 is taken; ${remedy}.\n`, ''])
    }
  } finally {
    server.close()
  }
})

test.each([
  ['{"stores":', /^sandbox: .*JSON.*\n$/],
  ['{"stores":[{"name":"a","seed":"empty","hash":"A B"}]}', /^sandbox: Store hash "A B" must match .*\n$/],
])('the sandbox process refuses the options %s', async (options, words) => {
  const { code, errors } = await runInVain(options)
  expect(code).toBe(1)
  expect(errors).toMatch(words)
})

import { fstatSync } from 'node:fs'
import { type Sandbox, type SandboxOptions, startSandbox } from './start.ts'

/**
 * The sandbox as a process of its own: `node sandbox/main.ts '<options as JSON>'`. Prints one JSON line when it is ready
 * and ends on SIGTERM, or when whoever started it has gone.
 */
const starting = start().catch((error: unknown) => {
  process.stderr.write(`sandbox: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})

async function start(): Promise<Sandbox> {
  const options: SandboxOptions = JSON.parse(process.argv[2] ?? '{"stores":[]}')
  return startSandbox(options)
}

let ending = false
async function end(): Promise<void> {
  if (ending) return
  ending = true
  await (await starting).close()
  process.exit(0)
}

// Before the ready line: whoever reads it may end the process at once.
process.on('SIGTERM', end)
process.on('SIGINT', end)
process.on('disconnect', end)
// A pipe that closes means the parent died. A terminal, a file or /dev/null says nothing about a parent.
const stdin = fstatSync(0)
if (!process.channel && (stdin.isFIFO() || stdin.isSocket())) {
  process.stdin.on('end', end)
  process.stdin.resume()
}

const { url, port, tls, stores } = await starting
process.stdout.write(`${JSON.stringify({ url, port, tls, stores })}\n`)

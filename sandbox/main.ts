import { fstatSync } from 'node:fs'
import { type Sandbox, type SandboxOptions, startSandbox } from './start.ts'

/**
 * Runs the sandbox in a process of its own: `node sandbox/main.ts '<options as JSON>'`. It prints one JSON line once it
 * is ready, and ends on SIGTERM or when its parent process ends.
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

// Set up before the ready line, because the parent may end this process as soon as it reads that line.
process.on('SIGTERM', end)
process.on('SIGINT', end)
process.on('disconnect', end)
// If stdin is a pipe, its end means that the parent has ended. A terminal, a file or /dev/null tells us nothing.
const stdin = fstatSync(0)
if (!process.channel && (stdin.isFIFO() || stdin.isSocket())) {
  process.stdin.on('end', end)
  process.stdin.resume()
}

const { url, port, tls, stores } = await starting
process.stdout.write(`${JSON.stringify({ url, port, tls, stores })}\n`)

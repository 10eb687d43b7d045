import { type SandboxOptions, startSandbox } from '../../sandbox/start.ts'

/**
 * The demo's sandbox in a separate process. Options and tokens are sent over IPC, because arguments and output are
 * visible to others (S20). Ends with its parent process.
 */
process.once('message', async (options: SandboxOptions) => {
  const { url, stores, close } = await startSandbox(options)
  process.send?.({ url, stores })
  process.on('disconnect', () => close().then(() => process.exit(0)))
})
// Ctrl-C reaches every process in the group; the sandbox must outlive the runs that write to it.
process.on('SIGINT', () => undefined)

import { type SandboxOptions, startSandbox } from '../../sandbox/start.ts'

/**
 * The demo's sandbox in a process of its own. Options come and tokens go by IPC, because arguments and output are visible to
 * others (S20). Ends when the process that started it has gone.
 */
process.once('message', async (options: SandboxOptions) => {
  const { url, stores, close } = await startSandbox(options)
  process.send?.({ url, stores })
  process.on('disconnect', () => close().then(() => process.exit(0)))
})
// Ctrl-C in a terminal reaches every process of the group; the sandbox outlives the runs that write to it.
process.on('SIGINT', () => undefined)

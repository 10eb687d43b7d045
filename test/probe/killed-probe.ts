import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startProgram } from '../cli/run-program.ts'
import { until } from '../harness/until.ts'
import { aProbedStore, leftBehind } from './a-probed-store.ts'

/** Writes of a probe, without the deletions at its end. */
const writesOf = { quick: 190, whole: 550 }

interface Kill {
  quick: boolean
  /** When, from 0 (the first write) to 1 (while it removes what it made). */
  moment: number
  profile?: string
}

/** Kills the command and starts another probe, which is interrupted at its first question: what the first one made must be gone. */
export async function expectRemovedAfterKill({ quick, moment, profile }: Kill): Promise<void> {
  const { probe, stateNow, admin, sandbox, hash } = await aProbedStore({ profile })
  const before = await stateNow()
  const folder = await mkdtemp(join(tmpdir(), 'storeferry-probe-'))
  try {
    const tokenFile = join(folder, 'token')
    await writeFile(tokenFile, 'secret')
    const files = ['--token-file', tokenFile, '--report', join(folder, 'report.json')]
    const args = ['probe', '--store', hash, '--throwaway', ...files, ...(quick ? ['--quick'] : [])]
    const run = startProgram(args, { environment: { BIGCOMMERCE_API_URL: sandbox.url } })
    const enough = 1 + Math.floor(moment * writesOf[quick ? 'quick' : 'whole'])
    await until(`the probe has sent ${enough} writes`, async () => {
      const { counts } = (await admin('GET', '/requests?limit=1')).body as { counts: Record<string, number> }
      return run.child.exitCode !== null || (counts.POST ?? 0) + (counts.PUT ?? 0) >= enough
    })
    run.child.kill('SIGKILL')
    expect(await run.ended, run.errors()).toBe(null)
    const interrupt = new AbortController()
    const next = await probe({
      signal: interrupt.signal,
      onProgress: ({ now }) => now.includes(':') && interrupt.abort(),
    })
    expect(next.after.left).toEqual([])
    expect(leftBehind(before, await stateNow()), `after ${enough} writes`).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
}

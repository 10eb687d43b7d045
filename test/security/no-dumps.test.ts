import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const crashChild = fileURLToPath(new URL('crash-child.ts', import.meta.url))
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sf-dumps-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** On a host that is configured to write dumps into the working directory. */
const onDumpingHost = (...args: string[]) =>
  promisify(execFile)('/bin/sh', ['-c', 'ulimit -c unlimited && exec "$0" "$@"', process.execPath, ...args], {
    cwd: directory,
  })

test.skipIf(process.platform !== 'linux')(
  'S32: the process of a run leaves no dump, although its host may write dumps of any size; needs Linux',
  async () => {
    const { limits, filter, signal } = JSON.parse((await onDumpingHost(crashChild)).stdout)
    expect(signal).toBe('SIGABRT')
    expect(await readdir(directory)).toEqual([])
    expect(limits).toMatch(/^Max core file size +0 +0 +bytes/m)
    // Nothing for a program that collects dumps whatever the limit is.
    expect(Number.parseInt(filter, 16)).toBe(0)
  },
)

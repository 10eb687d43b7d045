import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { folderInMemory } from './test/folder-in-memory.ts'
import { leftOut } from './test/left-out.ts'
import { SlowFirst } from './test/slow-first.ts'

const temporary = process.env.TMPDIR ?? folderInMemory()
if (temporary) process.env.TMPDIR = temporary

export default defineConfig({
  test: {
    // The smallest machine we build on has two cores. A story waits for its stores and its database half of the time; those of
    // the long suites have more processes of their own.
    maxWorkers: process.env.STOREFERRY_LONG === '1' ? 3 : 4,
    // An order asked for on the command line wins.
    ...(process.argv.some((arg) => arg.includes('shuffle')) ? {} : { sequence: { sequencer: SlowFirst } }),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'sandbox/**/*.test.ts', 'cli/**/*.test.ts', 'portal/**/*.test.ts'],
          exclude: leftOut(),
          pool: 'forks',
          isolate: false,
        },
      },
      {
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: leftOut(),
          globalSetup: ['test/harness/postgres.ts', 'test/harness/answer-counts.ts'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
          pool: 'forks',
          // Files of one worker share what they import, and the worker's sandbox, database and service.
          isolate: false,
          // Every world starts programs of its own: they need not compile the same files again.
          env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/storeferry/tests', import.meta.url)) },
        },
      },
    ],
  },
})

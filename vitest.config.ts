import { defineConfig } from 'vitest/config'

/** `unit`: one file's exports, beside the file. `service`: starts a server or a database, or runs a tool, in `test/`. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['{src,cli,sandbox}/**/*.test.ts'] } },
      { test: { name: 'service', include: ['test/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 } },
    ],
  },
})

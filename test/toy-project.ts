import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const ours = fileURLToPath(new URL('..', import.meta.url))
const scripts = ['run-suites', 'run-alone', 'run-vitest', 'file-reporter', 'suite-record', 'suites', 'totals']
const linked = [
  'node_modules/vitest',
  'test/harness',
  'test/left-out.ts',
  'test/pick-at-random.ts',
  'test/two-at-a-time.ts',
]

const config = `import { defineConfig } from 'vitest/config'
import { leftOut } from './test/left-out.ts'
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'], exclude: leftOut(), maxWorkers: 2 } },
      { test: { name: 'service', include: ['test/**/*.test.ts'], exclude: leftOut(), maxWorkers: 2 } },
    ],
  },
})`

/** `note` writes a line that the story reads with `notes()`. */
const prelude = `import { appendFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
const note = (line: string) => appendFileSync(process.env.NOTES!, line + '\\n')
`

export interface ToyProject {
  root: string
  write(file: string, content: string): Promise<void>
  notes(): Promise<string[]>
  start(script: string, ...args: string[]): ChildProcessWithoutNullStreams
  run(script: string, ...args: string[]): Promise<{ exitCode: number; lines: string[] }>
  [Symbol.asyncDispose](): Promise<void>
}

/** A small project of its own, in git, with our scripts and the given files. */
export async function aToyProject(files: Record<string, string>): Promise<ToyProject> {
  const folder = await mkdtemp(join(tmpdir(), 'storeferry-toy-'))
  const [root, notes] = [join(folder, 'project'), join(folder, 'notes')]
  const write = async (file: string, content: string) => {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), file.endsWith('.test.ts') ? prelude + content : content)
  }
  await write('package.json', '{ "type": "module" }')
  await write('.gitignore', 'node_modules/')
  await write('vitest.config.ts', config)
  for (const script of scripts)
    await write(`test/${script}.ts`, await readFile(join(ours, `test/${script}.ts`), 'utf8'))
  for (const path of linked) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await symlink(join(ours, path), join(root, path))
  }
  for (const [file, content] of Object.entries(files)) await write(file, content)
  await writeFile(notes, '')
  commitAll(root)

  // No browser and no database: what there would be to install or to start is there.
  const { STOREFERRY_LONG: _long, STOREFERRY_LEFT_OUT: _leftOut, ...ourEnv } = process.env
  const env = { ...ourEnv, NOTES: notes, CHROMIUM: process.execPath, TEST_DATABASE_URL: 'postgres://nowhere' }
  const started: ChildProcessWithoutNullStreams[] = []
  const start = (script: string, ...args: string[]) => {
    const child = spawn(process.execPath, [join(root, `test/${script}.ts`), ...args], { cwd: root, env })
    started.push(child)
    return child
  }
  return {
    root,
    write,
    notes: async () => (await readFile(notes, 'utf8')).split('\n').filter(Boolean),
    start,
    async run(script, ...args) {
      const child = start(script, ...args)
      const [output, errors] = [text(child.stdout), text(child.stderr)]
      const [exitCode] = await once(child, 'close')
      return { exitCode, lines: `${await errors}${await output}`.trimEnd().split('\n') }
    },
    async [Symbol.asyncDispose]() {
      for (const child of started) child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function commitAll(root: string): void {
  const settings = ['-c', 'user.name=Toy', '-c', 'user.email=toy@example.com', '-c', 'commit.gpgsign=false']
  for (const command of [
    ['init', '--quiet'],
    ['add', '.'],
    ['commit', '--quiet', '--message', 'Toy'],
  ]) {
    execFileSync('git', [...settings, ...command], { cwd: root })
  }
}

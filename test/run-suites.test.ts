import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from './harness/until.ts'
import { aToyProject } from './toy-project.ts'

test('the end of a run names what was missing, the slowest files and the totals', async () => {
  await using toy = await aToyProject({
    'src/fine.test.ts': `test('one', () => {})`,
    'test/slow.test.ts': `test('two', () => new Promise((resolve) => setTimeout(resolve, 600)))`,
    'test/mixed.test.ts': `
      test('three', () => expect(1).toBe(2))
      describe.skip('in a browser: install one', () => { test('four', () => {}); test('five', () => {}) })`,
    'test/broken.test.ts': `throw new Error('does not load')`,
    'test/hook.test.ts': `import { beforeAll } from 'vitest'
      beforeAll(() => { throw new Error('no set-up') })
      test('six', () => {})`,
  })
  const { exitCode, lines } = await toy.run('run-suites', 'default')
  expect(exitCode).toBe(1)
  expect(lines.at(-1)).toBe('2 passed, 3 failed, 3 skipped')
  expect(lines.filter((line) => line.startsWith('skipped:'))).toEqual(['skipped: in a browser: install one'])
  const slowest = lines.slice(lines.indexOf('The slowest files:') + 1, -1)
  expect(slowest).toHaveLength(5)
  expect(slowest[0]).toMatch(/^ +\d\.\d s {2}test\/slow\.test\.ts$/)
})

test('an error outside every test, a file that dies and a runner that dies are failures', async () => {
  await using toy = await aToyProject({
    'src/fine.test.ts': `test('one', () => {})`,
    'test/late.test.ts': `test('two', () => { setTimeout(() => { throw new Error('late') }) })`,
    'test/dies.test.ts': `test('three', () => { process.kill(process.pid, 'SIGKILL') })`,
    'test/killer.test.ts': `test('four', () => { process.kill(process.ppid, 'SIGKILL') })`,
  })
  const late = await toy.run('run-suites', 'default', 'fine', 'late', 'dies')
  expect(late).toMatchObject({ exitCode: 1 })
  expect(late.lines.at(-1)).toBe('2 passed, 2 failed, 0 skipped')
  const killed = await toy.run('run-suites', 'default', 'killer')
  expect(killed).toMatchObject({ exitCode: 1 })
  expect(killed.lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped')
})

test('a long suite runs its own folders in their long form, and filters and options narrow it', async () => {
  await using toy = await aToyProject({
    'src/one.test.ts': `test('one', () => note('src/one'))`,
    'test/engine/one.test.ts': `test('one', () => note('engine/one ' + process.env.STOREFERRY_LONG))`,
    'test/engine/two.long.test.ts': `test('two', () => note('engine/two'))`,
    'test/db/three.test.ts': `test('three', () => note('db/three')); test('four', () => note('db/four'))`,
    'test/one.test.ts': `test('one', () => note('one'))`,
    'test/kills/one.test.ts': `test('one', () => note('kills/one'))`,
  })
  const notesOf = async (...args: string[]) => {
    const before = await toy.notes()
    const { lines } = await toy.run('run-suites', ...args)
    return { totals: lines.at(-1), notes: (await toy.notes()).slice(before.length).sort() }
  }
  expect(await notesOf('engine')).toEqual({
    totals: '4 passed, 0 failed, 0 skipped',
    notes: ['db/four', 'db/three', 'engine/one 1', 'engine/two'],
  })
  expect(await notesOf('engine', 'three.test', '-t', 'fo[u]r', '--sequence.shuffle')).toEqual({
    totals: '1 passed, 0 failed, 1 skipped',
    notes: ['db/four'],
  })
  expect((await notesOf('default')).notes).toEqual([
    'db/four',
    'db/three',
    'engine/one undefined',
    'kills/one',
    'one',
    'src/one',
  ])
})

test('test:all goes on where it was killed, runs again what failed, and begins anew for another tree', async () => {
  await using toy = await aToyProject({
    'test/suites.ts': `export const suites = { default: { long: false }, kills: { folders: ['kills'], long: true } }`,
    'src/fine.test.ts': `test('one', () => note('fine'))`,
    'test/late.test.ts': `test('two', () => { note('late'); setTimeout(() => { throw new Error('late') }) })`,
    'test/failing.test.ts': `test('three', () => { note('failing'); expect(1).toBe(2) })`,
    'test/kills/fine.long.test.ts': `test('four', () => note('kills/fine'))`,
    'test/kills/hangs.long.test.ts': `import { readFileSync } from 'node:fs'
      test('five', { timeout: 60_000 }, async () => {
        const before = readFileSync(process.env.NOTES!, 'utf8')
        note('hangs')
        if (!before.includes('hangs')) await new Promise(() => setInterval(() => {}, 1000))
      })`,
  })
  const killed = toy.start('run-suites', 'all')
  const record = join(toy.root, 'node_modules/.cache/storeferry/test-all.json')
  await until('the last test hangs and all others have ended', async () => {
    const ended = await readFile(record, 'utf8').catch(() => '')
    return ended.includes('kills/fine') && (await toy.notes()).includes('hangs')
  })
  killed.kill('SIGKILL')
  // Its output ends when the last process that has it does: none is left behind.
  await once(killed, 'close')
  const notesOfNext = async (...args: string[]) => {
    const before = await toy.notes()
    const { exitCode, lines } = await toy.run('run-suites', 'all', ...args)
    return { exitCode, totals: lines.at(-1), notes: (await toy.notes()).slice(before.length).sort(), lines }
  }

  const resumed = await notesOfNext()
  expect(resumed).toMatchObject({ exitCode: 1, totals: '4 passed, 2 failed, 0 skipped' })
  expect(resumed.notes).toEqual(['failing', 'hangs', 'late'])
  expect(resumed.lines).toContainEqual(expect.stringMatching(/^default: 0\.\d minutes, 2 passed, 2 failed, 0 skipped$/))

  await toy.write('test/late.test.ts', `test('two', () => note('late'))`)
  await toy.write('test/failing.test.ts', `test('three', () => note('failing'))`)
  const all = ['failing', 'fine', 'hangs', 'kills/fine', 'late']
  const whole = { exitCode: 0, totals: '5 passed, 0 failed, 0 skipped' }
  expect(await notesOfNext()).toMatchObject({ ...whole, notes: all })
  expect(await notesOfNext()).toMatchObject({ ...whole, notes: [] })
  expect(await notesOfNext('--fresh')).toMatchObject({ ...whole, notes: all })
})

import { expect, test } from 'vitest'
import { aToyProject } from './toy-project.ts'

test('each picked test runs by itself, whatever its name, and one that needs another test fails', async () => {
  await using toy = await aToyProject({
    'src/names.test.ts': `
      test.each([1, 2])('a number such as %i (of many)', () => {})
      describe.each([{ path: '/v2/a?b=[c]' }])('at $path', () => test('what costs $1 + 2 > 3 | 4', () => {}))
      for (const end of ['', ' and more']) test(\`a name\${end}\`, () => note('a name' + end))`,
    'test/other.test.ts': `test('filtered out', () => note('filtered out'))`,
    'test/together.test.ts': `
      let ready = false
      test('first', () => { ready = true })
      test('second', () => expect(ready).toBe(true))
      test(\`in process \${process.pid}\`, () => {})
      describe.skip('in a browser: install one', () => { test('third', () => {}) })`,
  })
  const { exitCode, lines } = await toy.run('run-alone', '100', 'names', 'together', '--seed', '7')
  expect(exitCode).toBe(1)
  expect(lines.at(0)).toBe('9 of 9 tests, picked with --seed 7')
  expect(lines.at(-1)).toBe('6 passed, 2 failed, 1 skipped')
  expect(
    lines
      .filter((line) => line.startsWith('FAILED'))
      .map((line) => line.slice(17).replace(/\d+$/, 'N'))
      .sort(),
  ).toEqual(['test/together.test.ts > in process N', 'test/together.test.ts > second'])
  expect(lines).toContain('No test of this name ran.')
  expect(lines).toContainEqual(expect.stringContaining('expected false to be true'))
  expect((await toy.notes()).sort()).toEqual(['a name', 'a name and more'])
})

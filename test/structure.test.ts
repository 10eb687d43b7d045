import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readModules } from './structure.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = ['src', 'cli', 'sandbox'].flatMap((folder) => readModules(root, folder))
/** Tables, one row a line. */
const tables = new Set(['src/db/core/tables.ts'])

test('no folder has more than 25 modules, tests aside', () => {
  const folders = Map.groupBy(modules, ({ path }) => dirname(path))
  expect(
    [...folders].filter(([, { length }]) => length > 25).map(([name, { length }]) => `${name}: ${length}`),
  ).toEqual([])
})

test('no module has more than 400 lines', () => {
  const long = modules.filter(({ path, lines }) => lines > 400 && !tables.has(path))
  expect(long.map(({ path, lines }) => `${path}: ${lines}`)).toEqual([])
})

test('no function has more than 60 lines', () => {
  const long = modules.filter(({ longestFunction }) => longestFunction.lines > 60)
  expect(long.map(({ path, longestFunction: { name, lines } }) => `${path} ${name}: ${lines}`)).toEqual([])
})

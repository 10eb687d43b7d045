import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { suitesOfFile } from '../rules/suites-of-file.ts'
import { plantedFaults } from './faults.ts'
import { firstFailure } from './first-failure.ts'
import { plant } from './plant.ts'

const root = new URL('../../', import.meta.url)

test('there are fifty faults or more to plant, each with a name of its own', () => {
  expect(plantedFaults.length).toBeGreaterThanOrEqual(50)
  expect(new Set(plantedFaults.map(({ name }) => name)).size).toBe(plantedFaults.length)
})

test.each(plantedFaults)('can still be planted: $name', async (fault) => {
  const text = await readFile(new URL(fault.file, root), 'utf8')
  expect(plant(text, fault)).not.toBe(text)
})

test('the files that should notice a fault are there, and `npm test` runs them', () => {
  for (const { name, noticedBy } of plantedFaults) {
    expect(noticedBy, name).not.toEqual([])
    for (const file of noticedBy) {
      expect(existsSync(new URL(file, root)), `${name}: ${file}`).toBe(true)
      expect(suitesOfFile(file), `${name}: ${file}`).toContain('default')
    }
  }
})

test('a fault whose text is gone, or is there twice, is refused by its name', () => {
  const fault = { name: 'Off by one', file: 'a.ts', find: 'one', replace: 'two', breaks: 'Everything.', noticedBy: [] }
  expect(plant('just one', fault)).toBe('just two')
  expect(() => plant('one by one', fault)).toThrow('"Off by one": its text occurs 2 times in a.ts')
  expect(() => plant('zero', fault)).toThrow('occurs 0 times')
})

test('what noticed a fault is named by its file and title', () => {
  const output =
    ' RUN  v5\n FAIL  |unit| src/a.test.ts > a story > ends well\nAssertionError\n FAIL  |unit| src/b.test.ts > b\n'
  expect(firstFailure(output)).toBe('src/a.test.ts > a story > ends well')
  expect(firstFailure('\u001b[31m FAIL \u001b[39m |service| test/c.test.ts [ test/c.test.ts ]\n')).toBe(
    'test/c.test.ts [ test/c.test.ts ]',
  )
  expect(firstFailure(' ✓ src/a.test.ts\n')).toBeUndefined()
})

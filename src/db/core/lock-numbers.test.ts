import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lockNumbers } from './lock-numbers.ts'

const sources = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))

test('every advisory lock has a number or a hashed text of its own', () => {
  const taken = sources.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const key = /(hashtextextended\(\$\{`[^\n]*)/.exec(text)?.[1] ?? ''
    const locks = [...text.matchAll(/pg_(?:try_)?advisory_\w*lock\w*\(([^\n]*)/g)].map(([, of = '']) => of)
    // One lock may be taken in two ways.
    return [...new Set(locks.map((of) => (of.startsWith('${keyOf(') ? key : of)))].map((of) => ({ file, of }))
  })
  expect(taken.length).toBeGreaterThan(8)
  const named = taken.map(({ file, of }) => {
    const number = /^\$\{lockNumbers\.(\w+)\}|^\$1\)', \[lockNumbers\.(\w+)\]/.exec(of)
    const text = /^hashtextextended\((?:\$\{`([\w ]+) \$\{|'([\w ]+)')/.exec(of)
    return number?.slice(1).find(Boolean) ?? text?.slice(1).find(Boolean) ?? `${file}: ${of}`
  })
  expect(named.toSorted()).toEqual([...new Set(named)].toSorted())
  expect(named.filter((name) => name.includes(':'))).toEqual([])
  const numbers = Object.values(lockNumbers)
  expect(new Set(numbers).size).toBe(numbers.length)
})

import { expect, test } from 'vitest'
import { lockFaults } from './lock-faults.ts'

const manifest = { dependencies: { a: '1.0.0' } }
const a = { version: '1.0.0', integrity: 'sha512-a' }

test.each([
  ['a range instead of a version', { dependencies: { a: '^1.0.0' } }, { 'node_modules/a': a }, 'pin one exact version'],
  [
    'another version than the pinned one',
    manifest,
    { 'node_modules/a': { ...a, version: '1.0.1' } },
    'the lock file has 1.0.1',
  ],
  ['a pinned package that is not locked', manifest, {}, 'the lock file has no entry'],
  ['an entry without integrity', manifest, { 'node_modules/a': { version: '1.0.0' } }, 'has no integrity'],
  [
    'a download address',
    manifest,
    { 'node_modules/a': { ...a, resolved: 'https://registry.example/a.tgz' } },
    'records a download address',
  ],
  [
    'an optional package that is not locked',
    manifest,
    { 'node_modules/a': { ...a, optionalDependencies: { 'a-linux': '1.0.0' } } },
    'names the optional a-linux',
  ],
])('%s is a fault', (_, dependencies, packages, fault) => {
  expect(lockFaults(dependencies, { packages })).toEqual([expect.stringContaining(fault)])
})

test('an optional package may be locked beside the one that names it or further out', () => {
  const optional = (name: string) => ({ ...a, optionalDependencies: { [name]: '1.0.0' } })
  const packages = {
    'node_modules/a': optional('inner'),
    'node_modules/a/node_modules/inner': optional('outer'),
    'node_modules/outer': a,
  }
  expect(lockFaults(manifest, { packages })).toEqual([])
})

test('a linked folder needs no integrity and has an address', () => {
  const packages = { 'node_modules/a': { version: '1.0.0', link: true, resolved: 'packages/a' } }
  expect(lockFaults(manifest, { packages })).toEqual([])
})

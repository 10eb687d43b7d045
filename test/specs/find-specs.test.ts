import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findSpecs } from './find-specs.ts'
import { manifest } from './manifest.ts'

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'specs-'))
})
afterEach(() => rmSync(place, { recursive: true }))

/** A folder that has every file of the manifest, but for those that are left out. */
function aFolder(name: string, ...leftOut: string[]): string {
  const folder = join(place, name)
  mkdirSync(folder)
  for (const { path } of manifest.files.filter((file) => !leftOut.includes(file.path))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), '')
  }
  return folder
}

test('the folder that BIGCOMMERCE_SPECS names counts, then the fetched one, then the one beside the checkout', () => {
  const [named, fetched, beside] = [aFolder('named'), aFolder('fetched'), aFolder('beside')]
  expect(findSpecs(named, [fetched, beside])).toBe(named)
  expect(findSpecs('', [fetched, beside])).toBe(fetched)
  expect(findSpecs('', [join(place, 'nowhere'), beside])).toBe(beside)
  expect(findSpecs('', [join(place, 'nowhere')])).toBeUndefined()
})

test('a folder that BIGCOMMERCE_SPECS names and that is not there, or lacks a file, is an error and not a skipped test', () => {
  const beside = aFolder('beside')
  const remedy = 'Name a folder that has it in BIGCOMMERCE_SPECS, or unset that.'
  const nowhere = join(place, 'nowhere')
  expect(() => findSpecs(nowhere, [beside])).toThrow(new Error(`There is no folder ${nowhere}. ${remedy}`))
  const partly = aFolder('partly', 'carts.v3.yml')
  expect(() => findSpecs(partly, [beside])).toThrow(new Error(`${partly} has no carts.v3.yml. ${remedy}`))
})

test('a fetched folder that lacks a file is an error that says to fetch it again', () => {
  const partly = aFolder('partly', 'catalog/brands_catalog.v3.yml')
  expect(() => findSpecs('', [partly, aFolder('beside')])).toThrow(
    new Error(`${partly} has no catalog/brands_catalog.v3.yml. Run \`npm run specs\`.`),
  )
})

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { setSource } from './healing-story.ts'

test('a run with STOREFERRY_RECORD keeps the shape of each operation and refusal, and no value of either store', async () => {
  const recordDirectory = await mkdtemp(join(tmpdir(), 'storeferry-record-'))
  onTestFinished(() => rm(recordDirectory, { recursive: true }))
  const world = await aWorld({ entities: ['brands', 'categories', 'products', 'customers'], recordDirectory })
  const { brands = [], products = [], customers = [] } = await world.state('source')
  await setSource(world, 'brands', brands[0]?.id ?? 0, { image_url: 'b/missing-brand.png' })
  await world.complete()
  const files = await readdir(recordDirectory)
  expect(files).toEqual(expect.arrayContaining(['GET_v3_catalog_brands-200.json', 'POST_v3_catalog_products-200.json']))
  expect(files.filter((file) => /^POST_v3_catalog_brands-422-[0-9a-f]{8}\.json$/.test(file))).toHaveLength(1)
  const texts = await Promise.all(files.map((file) => readFile(join(recordDirectory, file), 'utf8')))
  const values = [...brands, ...products, ...customers].flatMap(({ name, sku, email }) => [name, sku, email])
  const told = values.filter((value) => typeof value === 'string' && value !== '')
  expect(told.length).toBeGreaterThan(20)
  for (const text of texts) for (const value of told) expect(text).not.toContain(value)
  for (const text of texts) expect(text).not.toContain(world.address('source').hash)
})

import { expect } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { aWorld, type World, type WorldOptions } from '../harness/world.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'

type Row = { id: number; name: string; [field: string]: unknown }

/** A catalogue to copy, by runs that soon give up on a lost answer. */
export const aCatalogue = (options: WorldOptions = {}) =>
  aWorld({ catalogueOnly: true, requestTimeoutSeconds: 1, settleSeconds: 0, ...options })

/** The newest row of the source. */
export async function lastOf(world: World, table: string): Promise<Row> {
  const row = (await world.state('source'))[table]?.at(-1)
  if (!row) throw new Error(`The source has no ${table}.`)
  return { ...row, name: String(row.name) }
}

export const setSource = (world: World, table: string, id: number, fields: Record<string, unknown>) =>
  world.change('source', { op: 'set', table, id, fields })

/** Takes a picture of each kind out of the source: their rows as they were. */
export async function losePictures(world: World) {
  const { brands = [], categories = [], images = [], variants = [] } = await world.state('source')
  const brand = brands.find(({ image_url }) => image_url !== '') ?? brands[0]
  const category = categories.find(({ image_url }) => image_url !== '')
  const variant = variants.find(({ image_url }) => image_url !== '')
  const image = images[0]
  if (!brand || !category || !variant || !image) throw new Error('The seed has no pictures.')
  await setSource(world, 'brands', brand.id, { image_url: 'b/missing-brand.png' })
  await setSource(world, 'categories', category.id, { image_url: 'c/missing-category.png' })
  await setSource(world, 'variants', variant.id, { image_url: 'v/missing-variant.png' })
  await setSource(world, 'images', image.id, { image_file: 'a/missing__10001.png' })
  return { brand, category, variant, image }
}

/** Matches a body that contains the name with any character in place of those other than letters, digits and spaces. */
export const named = (name: string) => `"name":"${name.replace(/[^\w ]/g, '.')}"`

export async function heal(world: World, id: string): Promise<MigrationDetail> {
  const answer = await world.api('POST', `/v2/migrations/${id}/heal`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(202)
  return world.finished(id)
}

/** Issues of a run as `<state> <rule>: <component> <code>`, each once. */
export async function issuesBy(world: World, id: string): Promise<string[]> {
  const lines = (await world.issues(id)).map(
    ({ state, rule, component, code }) => `${state} ${rule ?? '-'}: ${component} ${code}`,
  )
  return [...new Set(lines)].sort()
}

/** True of every run, whatever was healed. */
export async function expectHonest(world: World, id: string): Promise<void> {
  await expectCountersToEqualTheLedger(world, id)
  expect((await world.requests('source')).every(({ method }) => method === 'GET')).toBe(true)
}

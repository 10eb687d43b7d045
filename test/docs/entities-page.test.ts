import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { entities } from '../../src/entities/registry.ts'
import { entitiesPage } from './entities-page.ts'

const committed = new URL('../../docs/entities.md', import.meta.url)

test('docs/entities.md is what the registry says; UPDATE_DOCS=1 writes it anew, and a diff is a decision', async () => {
  const said = entitiesPage(entities)
  if (process.env.UPDATE_DOCS) await writeFile(committed, said)
  expect(await readFile(committed, 'utf8')).toBe(said)
})

test('the page names every component, and what is not moved of every entity that says so', () => {
  const page = entitiesPage(entities)
  for (const { components, notMoved } of entities) {
    for (const { key } of components) expect(page).toContain(`\`${key}\``)
    for (const { what, why } of notMoved) expect(page).toContain(`- ${what}: ${why}.`)
  }
})

test('a component tells the cap of the calls that write it', () => {
  expect(entitiesPage(entities)).toMatch(/`product-channel-assignments`.*\| PUT 1 \|/)
})

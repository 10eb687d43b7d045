import { expect, test } from 'vitest'
import { joinedPages } from './joined-pages.ts'
import type { SourcePage } from './source-page.ts'

let next = 0
function pageOf(count: number, rest: Partial<SourcePage> = {}): SourcePage {
  const items = Array.from({ length: count }, () => ({ id: ++next }))
  return { items, position: String(next), level: null, total: null, broken: false, ...rest }
}

async function joined(...pages: SourcePage[]) {
  async function* given() {
    yield* pages
  }
  const all: SourcePage[] = []
  for await (const page of joinedPages(given())) all.push(page)
  expect(all.flatMap(({ items }) => items)).toEqual(pages.flatMap(({ items }) => items))
  return all.map(({ items, position, total }) => ({ count: items.length, ends: Number(position) - next, total }))
}

test('three pages of ten items are one, which goes on where the last of them does and has the total of the first', async () => {
  expect(await joined(pageOf(10, { total: 34 }), pageOf(10), pageOf(10), pageOf(4))).toEqual([
    { count: 30, ends: -4, total: 34 },
    { count: 4, ends: 0, total: null },
  ])
})

test('a large page stays as it is', async () => {
  expect(await joined(pageOf(250), pageOf(250), pageOf(3))).toMatchObject([
    { count: 250 },
    { count: 250 },
    { count: 3 },
  ])
})

test('pages of two levels, and pages with broken items, are not joined', async () => {
  const pages = [pageOf(2, { level: 0 }), pageOf(2, { level: 1 }), pageOf(2, { level: 1 }), pageOf(1, { broken: true })]
  expect(await joined(...pages)).toMatchObject([{ count: 2 }, { count: 4 }, { count: 1 }])
})

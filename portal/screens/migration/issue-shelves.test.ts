import { expect, test } from 'vitest'
import { causeChoices, withKnownCause } from './issue-causes.ts'
import { groupRemedyOf, issueQueriesOf, itemName, shelfTotals, totalsOf } from './issue-shelves.ts'

test('the shelves are counted by what is to be done: failures by their state, what is good to know in any state', () => {
  const byState = [
    { key: 'open', failures: 12, warnings: 3 },
    { key: 'healed', failures: 4, warnings: 0 },
    { key: 'dismissed', failures: 1, warnings: 2 },
  ]
  expect(shelfTotals(byState)).toEqual({ review: 12, known: 5, solved: 4, accepted: 1 })
  expect(shelfTotals([])).toEqual({ review: 0, known: 0, solved: 0, accepted: 0 })
})

test('the numbers beside the choices of a filter leave that filter out, and no other', () => {
  const search = { show: 'known', part: 'brands', cause: 'not_copied', text: 'lamp', issue: '1' } as const
  const filters = { severity: 'warning', component: 'brands', code: 'not_copied', text: 'lamp' }
  expect(issueQueriesOf.causes(search)).toEqual({ ...filters, code: undefined })
  expect(issueQueriesOf.parts(search)).toEqual({ ...filters, component: undefined, groupBy: 'component' })
  expect(issueQueriesOf.shelves(search)).toEqual({ ...filters, severity: undefined, groupBy: 'state' })
})

test('the causes to choose from are those that there are, and the chosen one', () => {
  const groups = [
    { key: 'unexpected', total: 1_200 },
    { key: 'platform_refused', total: 3 },
  ]
  const found = { platform_refused: 'BigCommerce refused the item', unexpected: 'Something unexpected' }
  expect(causeChoices(groups, undefined)).toEqual(found)
  expect(causeChoices(groups, 'source_gone')).toEqual({ ...found, source_gone: 'No longer in the source' })
  expect(totalsOf(groups).get('unexpected')).toBe(1_200)
  for (const [cause, known] of [
    ['source_gone', 'source_gone'],
    ['none', undefined],
  ])
    expect(withKnownCause({ cause: cause as 'source_gone' }).cause).toBe(known)
})

test.each([
  ['missing_reference', { name: 'Lamp', sku: 'LMP-12', sourceId: '12' }, 'Lamp'],
  ['missing_reference', { name: null, sku: 'LMP-12', sourceId: '12' }, 'LMP-12'],
  ['missing_reference', { name: null, sku: null, sourceId: 'usd' }, 'Id usd'],
  ['list_refused', { name: null, sku: null, sourceId: '' }, 'Products'],
  ['not_copied', { name: null, sku: null, sourceId: 'webdav-files' }, 'Products'],
  ['not_copied', { name: null, sku: null, sourceId: '1809' }, 'Id 1809'],
] as const)('an issue of %s about %j is called %s', (code, { name, sku, sourceId }, words) => {
  const item = { name, sku, sourceId, destinationId: null, path: null, parentId: null, parentName: null }
  expect(itemName({ code, component: 'products', item }, 'Products')).toBe(words)
})

test('a list of issues has one remedy above it, unless they are about the two stores, which have one each', () => {
  const remedy = 'Copy both folders.'
  const group = (sourceId: string, total: number) => ({
    total,
    example: {
      code: 'not_copied',
      remedy,
      state: 'open',
      item: { name: null, sku: null, path: null, sourceId },
    } as const,
  })
  expect(groupRemedyOf(group('12', 2))).toBe(remedy)
  expect(groupRemedyOf(group('webdav-files', 1))).toBe(remedy)
  expect(groupRemedyOf(group('webdav-files', 2))).toBeNull()
})

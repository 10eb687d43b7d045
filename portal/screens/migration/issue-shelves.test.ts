import { expect, test } from 'vitest'
import { causeChoices, withKnownCause } from './issue-causes.ts'
import { issueQueriesOf, itemName, saysWhatToDo, shelfTotals, totalsOf } from './issue-shelves.ts'

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
  ['list_refused', { name: null, sku: null, sourceId: '' }, 'The whole kind'],
  ['not_copied', { name: null, sku: null, sourceId: 'webdav-files' }, 'The whole kind'],
  ['not_copied', { name: null, sku: null, sourceId: '1809' }, 'Id 1809'],
] as const)('an issue of %s about %j is called %s', (code, { name, sku, sourceId }, words) => {
  const item = { name, sku, sourceId, destinationId: null, path: null, parentId: null, parentName: null }
  expect(itemName({ code, component: 'products', item })).toBe(words)
})

test('only a finding about the whole store says itself what to do', () => {
  const item = { name: null, sku: null, destinationId: null, path: null, parentId: null, parentName: null }
  const issue = (code: 'not_copied' | 'client_changed', sourceId: string, name: string | null = null) => ({
    code,
    item: { ...item, name, sourceId },
  })
  expect(saysWhatToDo(issue('not_copied', 'webdav-files'))).toBe(true)
  expect(saysWhatToDo(issue('not_copied', '12', 'UPS'))).toBe(false)
  expect(saysWhatToDo(issue('client_changed', 'destination'))).toBe(false)
})

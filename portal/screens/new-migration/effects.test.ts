import { expect, test } from 'vitest'
import { emptyDraft } from './draft.ts'
import { briefEffect, busyWords, comparedWords, effectsOf, scopeWords, sentencesOf } from './effects.ts'

const copy = { ...emptyDraft, isTrial: false }

const labels = new Map([
  ['brands', 'Brands'],
  ['pages', 'Web pages'],
])

test('a trial run promises that nothing changes, whatever a copy with these choices would do', () => {
  const trial = { ...copy, isTrial: true, strategy: 'replace' as const, themes: 'activate' as const, muteMails: false }
  expect(effectsOf(trial).map(({ text }) => text)).toEqual([
    'Changes nothing in either store.',
    'Never writes to the source.',
  ])
  expect(briefEffect(trial)).toBe('changes nothing')
  expect(sentencesOf(trial)).toEqual(['Changes nothing: it says what a copy would do.'])
})

test.each([
  [{}, 'Deletes nothing.'],
  [{}, 'Leaves existing items as they are.'],
  [{ strategy: 'update' }, 'Changes items that differ from the source. Stock and what your shop changes itself stay.'],
  [
    { strategy: 'update', overwrite: ['products'] },
    'Changes items that differ from the source. Overwrites stock and what your shop changes itself, as far as it is ticked under How.',
  ],
  // Existing items are left as they are.
  [{ overwrite: ['products'] }, 'Leaves existing items as they are.'],
  [{ strategy: 'replace' }, 'Deletes catalog and content that only the destination has, after you saw the list.'],
  [
    { strategy: 'replace', confirmsDeletions: false, deletionItems: '30' },
    'Deletes catalog and content that only the destination has. Asks before more than 20% of a kind or 30 items.',
  ],
  [
    { strategy: 'replace', confirmsDeletions: false, deletionItems: '1' },
    'Deletes catalog and content that only the destination has. Asks before more than 20% of a kind or 1 item.',
  ],
  [
    { strategy: 'replace', deleteShoppersData: ['customers'] },
    'Deletes what shoppers made there, too, as far as it is ticked under How.',
  ],
  [{ muteMails: false }, 'Shoppers may get mail about years-old orders.'],
  [{ themes: 'activate' }, 'Makes the storefronts look like those of the source.'],
] as const)('with %j a copy says: %s', (change, text) => {
  expect(effectsOf({ ...copy, ...change } as unknown as typeof copy).map((effect) => effect.text)).toContain(text)
})

test('of picked items no copy changes how the storefronts look, whatever was chosen about themes before', () => {
  const picked = { ...copy, scope: 'items' as const, themes: 'activate' as const }
  expect(
    effectsOf(picked)
      .map(({ text }) => text)
      .join(),
  ).not.toContain('look like')
})

test('only what deletes is marked as deleting', () => {
  for (const strategy of ['skip', 'update', 'replace'] as const) {
    const deletes = effectsOf({ ...copy, strategy }).some(({ mark }) => mark === '×')
    expect([strategy, deletes, briefEffect({ ...copy, strategy })]).toEqual([
      strategy,
      strategy === 'replace',
      strategy === 'replace' ? 'deletes' : 'deletes nothing',
    ])
  }
})

test.each([
  [{}, 'everything'],
  [{ scope: 'kinds', kinds: ['brands'] }, 'brands'],
  [{ scope: 'kinds', kinds: ['brands', 'pages'] }, 'brands and web pages'],
  [{ scope: 'kinds', kinds: ['brands', 'pages', 'a'] }, 'brands, web pages and a'],
  [{ scope: 'kinds', kinds: ['brands', 'pages', 'a', 'b'] }, '4 kinds'],
  [{ scope: 'items', picks: [{ entity: 'brands', id: '1', name: null }] }, 'one picked item'],
  [{ scope: 'templates', templates: ['pages/home', 'pages/brand'] }, 'the pages of 2 templates'],
  [{ scope: 'templates', templates: ['pages/brand'], pagesOf: { 'pages/brand': ['7'] } }, 'picked pages of 1 template'],
] as const)('%j is called: %s', (change, words) => {
  expect(scopeWords({ ...copy, ...change } as unknown as typeof copy, labels)).toBe(words)
})

test('a busy destination makes a copy wait, and a trial run, which does not wait, perhaps wrong', () => {
  const said = (isTrial: boolean) => Object.values(busyWords(isTrial)).join(' Spring copy ')
  expect(said(false)).toBe('It waits until Spring copy has finished writing to the same store.')
  expect(said(true)).toBe('What the trial run finds may change: Spring copy writes to the same store, or is about to.')
})

test('existing items that a copy goes on with are no changes where it leaves existing items as they are', () => {
  expect(comparedWords('skip')).toBe('to be completed')
  expect(comparedWords('update')).toBe('seem changed')
  expect(comparedWords('replace')).toBe('seem changed')
})

import { expect, test } from 'vitest'
import { issueRemedies } from '../contract/issue-codes.ts'
import type { Draft, PlatformItem } from './core/draft.ts'
import { identity, type References } from './core/references.ts'
import { currencyDraft } from './pricing/currencies.ts'
import { entities } from './registry.ts'
import { methodDraft } from './settings/shipping.ts'

/** A destination without counterparts, for what can be written in another way. */
const nothingThere: References = { ...identity, find: () => undefined, has: () => false, wantText: () => undefined }

/** An item with what most kinds ask for. */
const item: PlatformItem = {
  ...{ id: '7/one', uuid: 'one', channel_id: 7, site_id: 9, name: 'One', type: 'blog', kind: 'custom' },
  ...{ template_file: 'pages/home', entity_type: 'page', entity_id: 5, file_name: 'one.html', email: 'a@b.example' },
  ...{ from_path: '/one', to: { type: 'url', url: '/two' }, regions: [], title: 'One', data: [{ id: 'x' }] },
}

function withChildren(one: Draft): Draft[] {
  return [one, ...one.children.flatMap(withChildren)]
}

/** Drafts of every kind that this item is enough for. */
function leftOutDrafts(): Draft[] {
  return entities
    .flatMap(({ passes }) => passes)
    .flatMap((pass) => {
      try {
        return withChildren(pass.drafts(item, nothingThere))
      } catch {
        return []
      }
    })
    .filter(({ uncreatable, withheld }) => uncreatable !== null || withheld !== null)
}

test('whatever is left out says what a person can do about it, in other words than the general ones', () => {
  const found = leftOutDrafts()
  const without = found.filter(({ remedy }) => remedy === undefined || remedy === issueRemedies.not_copied)
  expect(without.map(({ component, uncreatable }) => `${component}: ${uncreatable}`)).toEqual([])
  const kinds = new Set(found.map(({ component }) => component))
  for (const kind of ['subscribers', 'scripts', 'redirects', 'pages', 'channel-settings', 'page-widgets'])
    expect(kinds).toContain(kind)
})

test.each([
  [methodDraft({ id: 1, zone_id: 2, type: 'upsready', name: 'UPS' }, identity), /^Connect the carrier/],
  [currencyDraft({ id: 1, currency_code: 'CAD', name: 'Dollar', is_transactional: true }), /^Set up payments/],
])('a carrier and a currency have remedies of their own: %#', (draft, remedy) => {
  expect(draft.remedy).toMatch(remedy)
})

test('what is copied has no remedy', () => {
  expect(methodDraft({ id: 1, zone_id: 2, type: 'perorder', name: 'Post' }, identity).remedy).toBeUndefined()
  expect(currencyDraft({ id: 1, currency_code: 'CAD', name: 'Dollar' }).remedy).toBeUndefined()
})

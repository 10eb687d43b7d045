import { expect, test } from 'vitest'
import { issueRemedies } from '../contract/issue-codes.ts'
import { findings, type PreflightFacts } from './preflight-findings.ts'

/** A source in which there is something of everything that cannot be copied. */
const facts: PreflightFacts = {
  settings: { source: {}, destination: {} },
  totals: [],
  sample: { looked: 12, total: 12, withStoreFiles: 1, withSharedOptions: 2, withGiftWraps: 3 },
  digitalProducts: 4,
  paymentMethods: 2,
  metafields: { looked: 9, ofOthers: 5 },
  consentEnabled: true,
  clientChanged: false,
  channels: { storefronts: 2, unpaired: [] },
  activeStorefrontLimit: null,
  pictures: { looked: 1, served: 1, originals: true },
  otherSources: { stores: [], components: [] },
  currenciesPaidIn: ['EUR'],
  carriers: { looked: 1, total: 1, quoting: ['ups'] },
  promotions: { looked: 3, incomplete: 1, missingNames: ['Oak'] },
}

test('F6: each thing that stays behind has a remedy of its own, which its message does not repeat', () => {
  const found = findings(facts)
  expect(found).toHaveLength(11)
  const ownRemedy = /^(Upload|Copy|Create|Set up|Install|Enter|Connect|There is nothing to do)\b.*\.$/
  for (const { code, message, remedy } of found) {
    expect(code).toBe('not_copied')
    expect(remedy).toMatch(ownRemedy)
    for (const sentence of message.split(/(?<=\.) (?=[A-Z])/)) expect(sentence).not.toMatch(ownRemedy)
  }
  expect(new Set(found.map(({ remedy }) => remedy)).size).toBe(found.length)
})

test('F6: a difference between the two stores has the remedy of its code', () => {
  const settings = { source: { weight_units: 'LBS' }, destination: { weight_units: 'KGS' } }
  expect(findings({ ...facts, settings })[0]).toMatchObject({
    code: 'different_setting',
    remedy: issueRemedies.different_setting,
  })
})

test('F6: nothing stays behind of a store that has none of it', () => {
  const none: PreflightFacts = {
    ...facts,
    sample: { looked: 12, total: 12, withStoreFiles: 0, withSharedOptions: 0, withGiftWraps: 0 },
    ...{ digitalProducts: 0, paymentMethods: null, metafields: null, consentEnabled: false, currenciesPaidIn: [] },
    channels: { storefronts: 1, unpaired: [] },
    carriers: { looked: 1, total: 1, quoting: [] },
    promotions: { looked: 3, incomplete: 0, missingNames: [] },
  }
  expect(findings(none)).toEqual([])
})

import { expect, test } from 'vitest'
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

test('F6: each thing that stays behind says in its last sentence what to do, and no two say the same', () => {
  const messages = findings(facts).map(({ message }) => message)
  const remedies = messages.map((message) => message.split(/(?<=\.) (?=[A-Z])/).at(-1))
  expect(messages).toHaveLength(11)
  expect(new Set(remedies).size).toBe(messages.length)
  for (const remedy of remedies)
    expect(remedy).toMatch(/^(Upload|Copy|Create|Set up|Install|Enter|Connect|There is nothing to do)\b/)
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

import { oneByOne } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate } from '../../../comparison/exclusion-reasons.ts'
import { plainText, withTexts } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const scripts: EntitySpec = {
  entity: 'scripts',
  components: {
    scripts: { onlyLinks: 'links in texts: test/engine/links.test.ts' },
  },
  kills: {
    scripts: listSubject('scripts', '^/v3/content/scripts$'),
  },
  faults: {
    writes: [
      writing('scripts', '^/v3/content/scripts$'),
      writing('scripts', '^/v3/content/scripts/[-0-9a-f]+$', { method: 'PUT' }),
    ],
    lists: [reading(['scripts'], '^/v3/content/scripts$')],
  },
  tables: [
    {
      table: 'scripts',
      entity: 'scripts',
      references: { channel_id: 'channels' },
      parents: ['channel_id'],
      shownAs: ({ uuid }) => String(uuid),
      keys: (row) => [plainText(row.name)],
      rewritten: (row, side) => withTexts(row, side, 'html', 'src'),
    },
  ],
  excludedFields: {
    scripts: {
      id: ownId,
      uuid: ownId,
      client_id: 'each store knows the API account that copies by another id',
      date_created: platformDate,
      date_modified: platformDate,
    },
  },
  notWritable: {
    scripts: {
      kind: 'the address or the markup goes with it: two fields',
      channel_id: 'names a storefront, of which the seed has one',
    },
  },
  otherValues: {
    'scripts.load_method': ['async', 'defer'],
    'scripts.location': ['head', 'footer'],
    'scripts.visibility': ['storefront', 'order_confirmation'],
    'scripts.consent_category': ['essential', 'analytics'],
  },
  onlyOnce: ['scripts'],
  awkward: {
    findings: [
      // Scripts of other accounts are not shown, and channels are not created.
      'scripts missing default storefront > Of another app',
      'scripts missing Closed-outlet > On a closed storefront',
    ],
  },
  story: {
    table: 'scripts',
    edit: { location: 'footer' },
    edited: ({ location }) => location === 'head',
    creation: { method: 'POST', path: '^/v3/content/scripts$' },
  },
  fewest: {
    ...oneByOne(/^\/v3\/content\/scripts/, 'scripts', 'by number', 1),
    writes: (shops) => shops.count('scripts') + shops.count('scripts', ({ enabled }) => enabled === true),
  },
}

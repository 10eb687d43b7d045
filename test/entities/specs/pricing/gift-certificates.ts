import { oneByOne } from '../../../../bench/parts/fewest-calls.ts'
import { ownId } from '../../../comparison/exclusion-reasons.ts'
import { plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const giftCertificates: EntitySpec = {
  entity: 'gift-certificates',
  kills: {
    'gift-certificates': {
      component: 'gift-certificates',
      pass: 'gift-certificates',
      write: { method: 'POST', path: '^/v2/gift_certificates$' },
      before: { method: 'GET', path: '^/v2/gift_certificates$' },
      probe: { path: '^/v2/gift_certificates$', query: /limit=/ },
    },
  },
  faults: {
    writes: [writing('gift-certificates', '^/v2/gift_certificates$')],
    lists: [reading(['gift-certificates'], '^/v2/gift_certificates$')],
  },
  tables: [
    {
      table: 'gift_certificates',
      entity: 'gift-certificates',
      references: { customer_id: 'customers' },
      parents: [],
      keys: (row) => [plainText(row.code)],
    },
  ],
  excludedFields: {
    gift_certificates: { id: ownId, order_id: 'the platform does not let it be written' },
  },
  otherValues: {
    'gift_certificates.status': ['pending', 'disabled'],
    'gift_certificates.template': ['girl.html', 'boy.html'],
  },
  awkward: {
    failures: [
      // Of two codes that differ only in case the platform accepts one.
      'gift-certificates natural_key_collision Gift certificate *',
      // Its balance is below 0.
      'gift-certificates platform_refused Gift certificate *',
    ],
    findings: [
      'gift-certificates missing both-cases',
      'gift-certificates different UNKNOWN-CUSTOMER customer_id',
      'gift-certificates missing overdrawn',
    ],
  },
  fewest: oneByOne(/^\/v2\/gift_certificates/, 'gift_certificates', '/v2 by id'),
}

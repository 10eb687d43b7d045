import { batches, callsOf, sum } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate } from '../../../comparison/exclusion-reasons.ts'
import { plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const segments: EntitySpec = {
  entity: 'segments',
  components: {
    'shopper-profiles': { prunedElsewhere: 'a customer has one: test/engine/segments.test.ts' },
  },
  kills: {
    segments: listSubject('segments', '^/v3/segments$'),
    'shopper-profiles': listSubject('shopper-profiles', '^/v3/shopper-profiles$'),
    'segment-members': {
      component: 'segment-members',
      pass: 'segment-members',
      write: { method: 'POST', path: '^/v3/segments/[-0-9a-f]+/shopper-profiles$' },
      before: { method: 'POST', path: '^/v3/shopper-profiles$' },
      probe: { path: '^/v3/segments/[-0-9a-f]+/shopper-profiles$', query: /limit=/ },
    },
  },
  faults: {
    writes: [
      writing('segments', '^/v3/segments$'),
      writing('shopper-profiles', '^/v3/shopper-profiles$'),
      writing('segment-members', '^/v3/segments/[-0-9a-f]+/shopper-profiles$'),
    ],
    lists: [
      reading(['segments', 'segment-members'], '^/v3/segments$'),
      reading(['shopper-profiles'], '^/v3/shopper-profiles$'),
    ],
  },
  tables: [
    {
      table: 'segments',
      entity: 'segments',
      references: {},
      parents: [],
      shownAs: ({ uuid }) => String(uuid),
      keys: (row) => [plainText(row.name)],
    },
    {
      table: 'shopper_profiles',
      entity: 'shopper-profiles',
      references: { customer_id: 'customers' },
      parents: ['customer_id'],
      shownAs: ({ uuid }) => String(uuid),
      keys: () => ['profile'],
    },
    {
      table: 'segment_members',
      entity: 'segment-members',
      references: { segment_id: 'segments', shopper_profile_id: 'shopper_profiles' },
      parents: ['segment_id'],
      keys: (row, side) => [plainText(side.refer('shopper_profiles', row.shopper_profile_id))],
    },
  ],
  excludedFields: {
    segments: { id: ownId, uuid: ownId, created_at: platformDate, updated_at: platformDate },
    shopper_profiles: { id: ownId, uuid: ownId, created_at: platformDate, updated_at: platformDate },
    segment_members: { id: ownId },
  },
  notWritable: {
    shopper_profiles: { customer_id: 'names the row' },
    segment_members: { segment_id: 'names the row', shopper_profile_id: 'names the row' },
  },
  onlyOnce: ['segments', 'shopper_profiles', 'segment_members'],
  awkward: {
    failures: [
      // Of two names that differ only in case the platform accepts one.
      'segments natural_key_collision vip',
      // All of its customers are gone.
      'shopper-profiles missing_reference Shopper profile *',
    ],
    findings: ['segments missing vip', 'shopper-profiles missing no customers * > profile'],
  },
  fewest: {
    paths: /^\/v3\/(segments|shopper-profiles)/,
    tables: ['segments', 'shopper_profiles', 'segment_members'],
    reads: (shops) =>
      shops.list(shops.count('segments'), 'by number') + shops.list(shops.count('shopper_profiles'), 'by number'),
    looks: () => 1 + 1,
    writes: (shops) =>
      callsOf(shops.count('segments'), batches.segments) +
      callsOf(shops.count('shopper_profiles'), batches.segments) +
      sum([...shops.sizes('segment_members', 'segment_id').values()].map((size) => callsOf(size, batches.segments))),
  },
}

import { batches, callsOf } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate } from '../../../comparison/exclusion-reasons.ts'
import { itemOf, plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

const associations = '^/v3/storefront/custom-template-associations$'

export const customTemplateAssociations: EntitySpec = {
  entity: 'custom-template-associations',
  components: {
    'custom-template-associations': { prunedElsewhere: 'an item has one: test/engine/template-associations.test.ts' },
  },
  kills: {
    'custom-template-associations': listSubject('custom-template-associations', associations, {
      method: 'PUT',
      path: associations,
    }),
  },
  faults: {
    writes: [
      writing('custom-template-associations', '^/v3/storefront/custom-template-associations$', { method: 'PUT' }),
    ],
    lists: [reading(['custom-template-associations'], '^/v3/storefront/custom-template-associations$')],
  },
  tables: [
    {
      table: 'custom_template_associations',
      entity: 'custom-template-associations',
      references: { channel_id: 'channels' },
      parents: [],
      keys: (row, side) => [
        `${plainText(itemOf(row.entity_type, row.entity_id, side))} in ${plainText(side.refer('channels', row.channel_id))}`,
      ],
      rewritten: (row, side) => ({ entity_id: itemOf(row.entity_type, row.entity_id, side) }),
    },
  ],
  excludedFields: {
    custom_template_associations: { id: ownId, date_created: platformDate, date_modified: platformDate },
  },
  notWritable: {
    custom_template_associations: {
      channel_id: 'names the row',
      entity_type: 'names the row',
      entity_id: 'names the row',
    },
  },
  otherValues: { 'custom_template_associations.file_name': ['custom-product-1.html', 'landing.html'] },
  awkward: {
    findings: [
      // The theme has no such file.
      'custom-template-associations missing Last of the awkward in default storefront',
    ],
  },
  fewest: {
    paths: /^\/v3\/storefront\/custom-template-associations/,
    tables: ['custom_template_associations'],
    reads: (shops) => shops.list(shops.count('custom_template_associations'), 'by number'),
    looks: () => 1,
    writes: (shops) => callsOf(shops.count('custom_template_associations'), batches.templateAssociations),
  },
}

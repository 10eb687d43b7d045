import { oneByOne } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate } from '../../../comparison/exclusion-reasons.ts'
import { plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

const templates = '^/v3/content/widget-templates$'

export const widgetTemplates: EntitySpec = {
  entity: 'widget-templates',
  components: {
    'widget-templates': { partlyThere: 'every store has those of the platform' },
  },
  kills: {
    'widget-templates': listSubject('widget-templates', templates),
  },
  faults: {
    writes: [writing('widget-templates', '^/v3/content/widget-templates$')],
    lists: [reading(['widget-templates'], '^/v3/content/widget-templates$')],
  },
  tables: [
    {
      table: 'widget_templates',
      entity: 'widget-templates',
      references: { channel_id: 'channels' },
      parents: [],
      shownAs: ({ uuid }) => String(uuid),
      keys: (row, side) => [
        `${plainText(row.kind)} ${plainText(row.name)} of ${plainText(side.refer('channels', row.channel_id))}`,
      ],
    },
  ],
  excludedFields: {
    widget_templates: {
      id: ownId,
      uuid: ownId,
      current_version_uuid: ownId,
      icon_name: 'read-only on the platform',
      client_rerender: 'only in answers',
      template_engine: 'only in answers',
      date_created: platformDate,
      date_modified: platformDate,
    },
  },
  notWritable: {
    widget_templates: {
      kind: 'fixed when the template is made',
      channel_id: 'names a storefront, of which the seed has one',
    },
  },
  onlyOnce: ['widget_templates'],
  story: {
    table: 'widget_templates',
    edit: { template: '<i>edited</i>' },
    edited: ({ kind }) => kind === 'custom',
    creation: { method: 'POST', path: '^/v3/content/widget-templates$' },
    onlyThere: {
      path: '/v3/content/widget-templates',
      body: {
        name: 'Only there',
        template: '<p></p>',
      },
    },
    madeBefore: {
      path: '/v3/content/widget-templates',
      body: {
        name: 'COUNTDOWN',
        template: '<p>another</p>',
      },
    },
  },
  fewest: oneByOne(/^\/v3\/content\/widget-templates/, 'widget_templates', 'by number', 1),
}

import { ownId } from '../../../comparison/exclusion-reasons.ts'
import type { Row, StoreSide } from '../../../comparison/store-side.ts'
import { type Fields, plainText } from '../../../comparison/table-rule.ts'
import { writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const themeActivations: EntitySpec = {
  entity: 'theme-activations',
  kills: {
    /** Activated again after a lost answer. */
    'theme-activations': listSubject('theme-activations', '^/v3/themes$', {
      method: 'POST',
      path: '^/v3/themes/actions/activate$',
    }),
  },
  faults: {
    writes: [writing('theme-activations', '^/v3/themes/actions/activate$')],
  },
  tables: [
    {
      table: 'theme_activations',
      entity: 'theme-activations',
      references: { channel_id: 'channels' },
      parents: [],
      keys: (row, side) => [plainText(side.refer('channels', row.channel_id))],
      rewritten: shownOn,
    },
  ],
  excludedFields: {
    theme_activations: { id: ownId },
  },
  notWritable: {
    theme_activations: {
      channel_id: 'names the row',
      theme_uuid: 'shown is what the configuration says',
      variation_id: 'shown is what the configuration says',
      configuration_uuid: 'another configuration is another row: its variation is changed',
    },
  },
  onlyOnce: ['theme_activations'],
}

/** What a storefront shows: the theme and its variation by name, and its settings. */
function shownOn(row: Row, side: StoreSide): Fields {
  const [theme] = side.where('themes', 'uuid', row.theme_uuid)
  const [configuration] = side.where('theme_configurations', 'uuid', row.configuration_uuid)
  const variations = (theme?.variations ?? []) as Fields[]
  return {
    theme_uuid: theme ? plainText(theme.name) : 'the theme that every store has',
    variation_id: variations.find(({ uuid }) => uuid === configuration?.variation_id)?.name ?? 'another',
    configuration_uuid: configuration?.settings,
  }
}

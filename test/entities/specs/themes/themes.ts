import { ownId, platformDate } from '../../../comparison/exclusion-reasons.ts'
import type { Row } from '../../../comparison/store-side.ts'
import { type Fields, isObject, plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const themes: EntitySpec = {
  entity: 'themes',
  kills: {
    /** The platform answers with a job, and the theme exists when that is done. */
    themes: listSubject('themes', '^/v3/themes$'),
  },
  faults: {
    writes: [writing('themes', '^/v3/themes$')],
    lists: [reading(['themes', 'theme-activations'], '^/v3/themes$')],
  },
  tables: [
    {
      table: 'themes',
      entity: 'themes',
      references: {},
      parents: [],
      keys: (row) => [plainText(row.name)],
      rewritten: (row) => ({ variations: namedVariations(row) }),
    },
  ],
  excludedFields: {
    themes: {
      id: ownId,
      uuid: ownId,
      version_uuid: ownId,
      archive: 'what it is made of is compared, and two zips of it need not be alike',
      updated_at: platformDate,
      ready_ms: platformDate,
    },
  },
  notWritable: {
    themes: {
      name: 'a theme is uploaded as a whole, and its content cannot be read back',
      version: 'as its name',
      settings: 'as its name',
      variations: 'as its name',
      files: 'as its name: missing files are reported for the items that name them',
      is_private: 'as its name',
    },
  },
  onlyOnce: ['themes'],
}

function asFields(value: unknown): Fields {
  return isObject(value) ? value : {}
}

/** Variations of a theme, by name. The file of an activated one repeats what it shares with the others. */
function namedVariations({ variations, settings }: Row): unknown {
  const all = (variations ?? []) as Fields[]
  return all.map(({ uuid: _uuid, settings: own, ...said }) => ({
    ...said,
    settings: { ...asFields(settings), ...asFields(own) },
  }))
}

import { reading } from '../../../faults/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const themeTemplates: EntitySpec = {
  entity: 'theme-templates',
  components: {
    'theme-templates': { neverCreated: 'files come with the theme' },
  },
  faults: {
    lists: [reading(['theme-templates'], '^/v3/themes/custom-templates/[-0-9a-f]+$')],
  },
}

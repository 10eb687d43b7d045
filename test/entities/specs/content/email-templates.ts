import { oneByOne } from '../../../../bench/parts/fewest-calls.ts'
import { reading } from '../../../faults/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const emailTemplates: EntitySpec = {
  entity: 'email-templates',
  components: {
    'email-templates': {
      neverCreated: 'every store has one of each type',
      editedElsewhere: 'as the settings: test/engine/email-templates.test.ts',
    },
  },
  faults: {
    lists: [reading(['email-templates'], '^/v3/marketing/email-templates$')],
  },
  fewest: oneByOne(/^\/v3\/marketing\/email-templates/, 'email_templates', 'by number'),
}

import { z } from 'zod'
import { issueRemedies } from '../../contract/issue-codes.ts'
import { type MigrationStatus, type Transition, transitions } from '../../contract/status.ts'
import { entities } from '../../entities/registry.ts'
import { defineOperation } from '../shared/operation.ts'

const topics = ['modes', 'strategies', 'statuses', 'phases', 'issue_codes'] as const

const modeMeanings: Record<string, string> = {
  full: 'Copies what the source has to the destination.',
  'dry-run': 'Does everything a full run does except write, and reports what would be done.',
  verify: 'Compares both stores field by field and reports the differences; writes nothing.',
  counts: 'Only counts the items of the source.',
}

const strategyMeanings: Record<string, string> = {
  skip: 'Leaves existing items as they are and creates only missing ones.',
  update: 'Also corrects existing items that differ; destination-owned values such as stock are left alone.',
  replace: 'Like update, and also deletes what only the destination has; large deletions need confirmation first.',
}

const statusMeanings: Record<MigrationStatus, string> = {
  queued: 'Waits for its turn.',
  in_progress: 'Is being carried out.',
  paused: 'Has stopped and can go on where it stopped.',
  completed: 'Has ended without open failures.',
  failed: 'Has ended because it could not go on. What was copied stays.',
  cancelled: 'Has ended because a person ended it. What was copied stays.',
  partial_completed: 'Has ended with open failures, which can be retried or dismissed.',
}

const term = z.strictObject({
  key: z.string(),
  meaning: z.string().optional(),
  remedy: z.string().optional().describe('What to do about it.'),
  components: z.array(z.string()).optional(),
  after: z.array(z.string()).optional(),
})

/** Returns reference texts, which are the same for every organisation. */
export const explainMigrations = defineOperation({
  name: 'explain-migrations',
  summary: 'What modes, strategies, statuses, phases, components and issue codes mean.',
  input: z.strictObject({ topic: z.enum(topics).optional() }),
  output: z.strictObject({ topics: z.record(z.enum(topics), z.array(term).optional()) }),
  async run({ topic }) {
    const said = Object.entries(describeTerms()).filter(([name]) => topic === undefined || name === topic)
    return { topics: Object.fromEntries(said) as Record<(typeof topics)[number], z.infer<typeof term>[]> }
  },
})

function describeTerms(): Record<(typeof topics)[number], z.infer<typeof term>[]> {
  const terms = (meanings: Record<string, string>) =>
    Object.entries(meanings).map(([key, meaning]) => ({ key, meaning }))
  return {
    modes: terms(modeMeanings),
    strategies: terms(strategyMeanings),
    statuses: Object.entries(transitions).map(([key, next]) => ({
      key,
      // Object.entries loses the literal types.
      meaning: [statusMeanings[key as MigrationStatus], nextStatuses(next)].join(' '),
    })),
    phases: entities.map(({ key, label, components, after }) => ({
      key,
      meaning: label,
      components: components.map((component) => component.key),
      after: [...after],
    })),
    issue_codes: Object.entries(issueRemedies).map(([key, remedy]) => ({ key, remedy })),
  }
}

function nextStatuses(next: readonly Transition[]): string {
  if (next.length === 0) return 'It stays so.'
  return `It becomes ${next.map(({ to, when }) => `${to} (${when})`).join(', ')}.`
}

import { z } from 'zod'
import { issue, issueFilters } from '../../contract/issues.ts'
import { findIssues, groupIssues } from '../../db/reports/run-findings.ts'
import { findRun } from '../../db/runs/runs.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { defineOperation } from '../shared/operation.ts'
import { refuseUnknownParts } from '../shared/runs/known-parts.ts'
import { issueOf } from './list-issues.ts'

export const issueGroupings = ['code', 'phase', 'component', 'severity', 'state'] as const

export const summariseIssues = defineOperation({
  name: 'summarise-issues',
  summary: 'The issues of a migration in groups, with an example of each.',
  input: z.strictObject({
    id: z.string(),
    groupBy: z.enum(issueGroupings).default('code'),
    ...issueFilters,
  }),
  output: z.strictObject({
    groups: z.array(
      z.strictObject({
        key: z.string(),
        total: z.int(),
        open: z.int(),
        failures: z.int(),
        warnings: z.int(),
        example: issue,
      }),
    ),
  }),
  isLong: () => true,
  async run({ id, groupBy, ...filters }, { organisationId }, { database, settings }) {
    const run = orNotFound(await findRun(database, organisationId, id), id)
    const groups = await groupIssues(database, { organisationId, runId: run.id }, groupBy, filters)
    if (groups.length === 0) refuseUnknownParts(filters, run.phases)
    const ids = groups.map(({ exampleId }) => exampleId)
    const found = await findIssues(database, organisationId, ids)
    const examples = new Map(found.map((row) => [row.id, issueOf(row, settings.siteUrl)]))
    return {
      groups: groups.flatMap(({ exampleId, ...group }) => {
        const example = examples.get(exampleId)
        return example ? [{ ...group, example }] : []
      }),
    }
  },
})

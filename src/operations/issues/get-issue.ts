import { z } from 'zod'
import { issue } from '../../contract/issues.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { findIssues } from '../../db/reports/run-findings.ts'
import { isUuid } from '../../db/runs/runs.ts'
import { Answer, defineOperation } from '../shared/operation.ts'
import { issueOf } from './list-issues.ts'

export const getIssue = defineOperation({
  name: 'get-issue',
  summary: 'One issue of any migration of the organisation.',
  input: z.strictObject({ id: z.string().optional(), issueId: z.string() }),
  output: issue,
  async run({ id, issueId }, { organisationId }, { database, settings, search }) {
    const isId = isUuid(issueId)
    const indexed = isId && search.name ? await search.findIssue(organisationId, issueId) : undefined
    const [found = indexed] = isId && !indexed ? await findIssues(database, organisationId, [issueId]) : []
    if (found && (id === undefined || found.runId === id.toLowerCase()))
      return new Answer(issueOf(found, settings.siteUrl), { readSource: (indexed && search.name) || 'postgres' })
    throw new ServiceError(
      'not_found',
      `Your organisation has no issue ${issueId}${id === undefined ? '' : ' in this migration'}.`,
    )
  },
})

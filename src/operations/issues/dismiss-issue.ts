import { dismissIssueInput, issue } from '../../contract/issues.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { dismissOpen } from '../../db/reports/healing.ts'
import { findIssue } from '../../db/reports/run-findings.ts'
import { isUuid } from '../../db/runs/runs.ts'
import { defineOperation } from '../shared/operation.ts'
import { dismiss } from './dismiss-issues.ts'
import { issueOf } from './list-issues.ts'

export const dismissIssue = defineOperation({
  name: 'dismiss-issue',
  summary: 'Accept one issue as it is. Repeating the call has no effect; a healed issue cannot be dismissed.',
  input: dismissIssueInput,
  output: issue,
  isLong: () => true,
  async run({ id, issueId, reason = null }, caller, deps) {
    const { row } = await dismiss('dismiss-issue', id, caller, deps, async (tx, run) => {
      const ofRun = { organisationId: run.organisationId, runId: run.id }
      const found = isUuid(issueId) ? await findIssue(tx, ofRun, issueId) : undefined
      if (!found)
        throw new ServiceError('not_found', `This migration has no issue ${issueId}; list its issues for their ids.`)
      if (found.state === 'healed')
        throw new ServiceError('invalid_transition', 'The issue is healed: there is nothing to dismiss.')
      const count = await dismissOpen(tx, run, { ids: [issueId] }, reason)
      return {
        dismissed: count,
        row: { ...found, reason: count > 0 ? reason : found.reason, state: 'dismissed' as const },
      }
    })
    return issueOf(row, deps.settings.siteUrl)
  },
})

import { z } from 'zod'
import { type Issue, issueHelpPath, issuePage, listIssuesInput } from '../../contract/issues.ts'
import { type IssueRow, listIssues as listIssueRows } from '../../db/reports/run-findings.ts'
import { findRun, isUuid } from '../../db/runs/runs.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { defineOperation } from '../shared/operation.ts'
import { refuseUnknownParts } from '../shared/runs/known-parts.ts'

export const issuePosition = z.strictObject({ firstMicros: z.string(), id: z.string() })

export const listIssues = defineOperation({
  name: 'list-issues',
  summary: 'What went wrong in a migration, item by item, and what to do about it.',
  input: listIssuesInput,
  output: issuePage,
  isLong: ({ text }) => text !== undefined,
  async run({ id, limit, cursor, ...filters }, { organisationId }, { database, keyring, settings }) {
    const runId = id.toLowerCase()
    const cursorScope = { list: `issues of ${runId}`, organisationId, filters }
    const after = openCursor(keyring, cursorScope, issuePosition, cursor)
    const rows = isUuid(runId)
      ? await listIssueRows(database, { organisationId, runId }, filters, { after, limit: limit + 1 })
      : []
    // Issues prove that the organisation has the migration; only without any it is looked for.
    if (rows.length === 0) {
      const { phases } = orNotFound(await findRun(database, organisationId, runId), id)
      refuseUnknownParts(filters, phases)
    }
    const { shown, nextCursor } = endPage(keyring, cursorScope, rows, {
      limit,
      positionOf: ({ firstMicros, id }) => ({ firstMicros, id }),
    })
    return { items: shown.map((row) => issueOf(row, settings.siteUrl)), nextCursor }
  },
})

/**
 * An issue as the API returns it.
 * @param siteUrl the site with the page that explains its code (S10)
 */
export function issueOf({ runId, sourceId, firstMicros: _, ...row }: IssueRow, siteUrl: string): Issue {
  const { name = null, sku = null, path = null } = row.item
  return {
    ...row,
    requestId: runId,
    item: { sourceId, name, sku, path },
    firstAt: row.firstAt.toISOString(),
    lastAt: row.lastAt.toISOString(),
    url: `${siteUrl}${issueHelpPath}/${row.code}`,
  }
}

import { z } from 'zod'
import { issueFilters, issuePage } from '../../contract/issues.ts'
import { pageInput } from '../../contract/primitives/list-page.ts'
import { moment } from '../../contract/primitives/moment.ts'
import { searchIssues as searchIssueRows } from '../../db/reports/run-findings.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { Answer, defineOperation } from '../shared/operation.ts'
import { issueOf, issuePosition } from './list-issues.ts'

export const searchIssues = defineOperation({
  name: 'search-issues',
  summary: 'Issues of all migrations of the organisation by text, code or item, latest first.',
  input: z.strictObject({
    text: issueFilters.text.describe('Part of the message or the code, or of the name, SKU or id of the item.'),
    code: issueFilters.code,
    itemId: z.string().max(255).optional(),
    since: moment.optional(),
    ...pageInput,
  }),
  output: issuePage,
  async run({ limit, cursor, ...filters }, { organisationId }, { database, keyring, settings, search }) {
    const cursorScope = { list: 'issues of all', organisationId, filters }
    const after = openCursor(keyring, cursorScope, issuePosition, cursor)
    const page = { after, limit: limit + 1 }
    const indexed = search.name ? await search.searchIssues(organisationId, filters, page) : undefined
    const rows = indexed ?? (await searchIssueRows(database, organisationId, filters, page))
    const { shown, nextCursor } = endPage(keyring, cursorScope, rows, {
      limit,
      positionOf: ({ firstMicros, id }) => ({ firstMicros, id }),
    })
    const items = shown.map((row) => issueOf(row, settings.siteUrl))
    return new Answer({ items, nextCursor }, { readSource: (indexed && search.name) || 'postgres' })
  },
})

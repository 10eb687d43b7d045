import { issueCounts, issuePage, searchedIssues, searchIssuesInput } from '../../contract/issues.ts'
import { countIssues as countIssueRows, searchIssues as searchIssueRows } from '../../db/reports/run-findings.ts'
import { inOrder, sumOfCounts } from '../../search/issue-counts.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { Answer, defineOperation } from '../shared/operation.ts'
import { issueOf, issuePosition } from './list-issues.ts'

export const searchIssues = defineOperation({
  name: 'search-issues',
  summary: 'Issues of all migrations of the organisation, latest first.',
  input: searchIssuesInput,
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

export const countIssues = defineOperation({
  name: 'count-issues',
  summary: 'How many issues of all migrations of the organisation there are, by code, severity, phase and state.',
  input: searchedIssues,
  output: issueCounts,
  async run(filters, { organisationId }, { database, search }) {
    const indexed = search.name ? await search.countIssues(organisationId, filters) : undefined
    const counts = indexed ?? sumOfCounts(await countIssueRows(database, organisationId, filters))
    return new Answer(inOrder(counts), { readSource: (indexed && search.name) || 'postgres' })
  },
})

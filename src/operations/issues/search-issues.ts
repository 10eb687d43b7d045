import { issueCounts, issuePage, searchedIssues, searchIssuesInput } from '../../contract/issues.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Database } from '../../db/core/database.ts'
import { TimeLimitReached, withinTime } from '../../db/core/time-limit.ts'
import {
  countIssues as countIssueRows,
  mostSearchSeconds,
  searchIssues as searchIssueRows,
} from '../../db/reports/run-findings.ts'
import { inOrder, sumOfCounts } from '../../search/issue-counts.ts'
import type { SearchReader } from '../../search/search-reader.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { Answer, defineOperation } from '../shared/operation.ts'
import { refuseUnknownParts } from '../shared/runs/known-parts.ts'
import { issueOf, issuePosition } from './list-issues.ts'

export const searchIssues = defineOperation({
  name: 'search-issues',
  summary: 'Issues of all migrations of the organisation, latest first.',
  input: searchIssuesInput,
  output: issuePage,
  isLong: () => true,
  async run({ limit, cursor, ...filters }, { organisationId }, { database, keyring, settings, search }) {
    const cursorScope = { list: 'issues of all', organisationId, filters }
    const after = openCursor(keyring, cursorScope, issuePosition, cursor)
    const page = { after, limit: limit + 1 }
    const { found: rows, readSource } = await readEither(
      { search, database },
      () => search.searchIssues(organisationId, filters, page),
      (limited) => searchIssueRows(limited, organisationId, filters, page),
    )
    if (rows.length === 0) refuseUnknownParts(filters)
    const { shown, nextCursor } = endPage(keyring, cursorScope, rows, {
      limit,
      positionOf: ({ firstMicros, id }) => ({ firstMicros, id }),
    })
    const items = shown.map((row) => issueOf(row, settings.siteUrl))
    return new Answer({ items, nextCursor }, { readSource })
  },
})

export const countIssues = defineOperation({
  name: 'count-issues',
  summary: 'How many issues of all migrations of the organisation there are, by code, severity, phase and state.',
  input: searchedIssues,
  output: issueCounts,
  isLong: () => true,
  async run(filters, { organisationId }, { database, search }) {
    const { found, readSource } = await readEither(
      { search, database },
      () => search.countIssues(organisationId, filters),
      async (limited) => sumOfCounts(await countIssueRows(limited, organisationId, filters)),
    )
    if (found.total === 0) refuseUnknownParts(filters)
    return new Answer(inOrder(found), { readSource })
  },
})

/** From the index if it can answer, else from PostgreSQL. */
async function readEither<Found>(
  { search, database }: { search: SearchReader; database: Database },
  fromIndex: () => Promise<Found | undefined>,
  fromPostgres: (limited: Database) => Promise<Found>,
) {
  try {
    const indexed = await fromIndex()
    if (indexed !== undefined) return { found: indexed, readSource: search.name ?? undefined }
    return { found: await withinTime(database, mostSearchSeconds, fromPostgres), readSource: 'postgres' as const }
  } catch (error) {
    throw error instanceof TimeLimitReached ? tooMany(error) : error
  }
}

/** Not `unavailable`: the same search would take as long again. */
function tooMany(cause: Error): ServiceError {
  const message = `The search took longer than ${mostSearchSeconds} seconds and was ended. Search the issues of one migration, or add filters, such as a code, a phase or a time.`
  return new ServiceError('validation_failed', message, { errors: { text: [message] }, cause })
}

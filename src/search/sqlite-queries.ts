import { emptyLog } from './sqlite-file.ts'
import { countIssues, searchIssues } from './sqlite-issues.ts'

/** What may take long with many issues, by name, because another process does it. */
export const fileQueries = { search: searchIssues, count: countIssues, emptyLog } as const
export type FileQueries = typeof fileQueries

import type { IssueGroup } from '../../data/findings.ts'
import type { Issue } from '../../data/queries.ts'
import { causes, causeWords } from '../../finding-words.ts'
import type { IssueSearch } from './issue-shelves.ts'

/** The causes to choose from: those that the list has, and the chosen one. */
export function causeChoices(
  groups: readonly Pick<IssueGroup, 'key'>[],
  chosen: Issue['code'] | undefined,
): Partial<Record<Issue['code'], string>> {
  const found = causes.filter((cause) => cause === chosen || groups.some(({ key }) => key === cause))
  return Object.fromEntries(found.map((cause) => [cause, causeWords[cause]]))
}

/** A cause that does not exist, perhaps edited by hand, counts as absent. */
export function withKnownCause(search: IssueSearch): IssueSearch {
  return causes.some((cause) => cause === search.cause) ? search : { ...search, cause: undefined }
}

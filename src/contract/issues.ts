import { z } from 'zod'
import { type IssueCode, issueRemedies } from './issue-codes.ts'
import { limits } from './primitives/limits.ts'
import { pageInput, pageOf } from './primitives/list-page.ts'
import { moment } from './primitives/moment.ts'

// Object.keys loses the literal types.
const issueCodes = Object.keys(issueRemedies) as [IssueCode, ...IssueCode[]]

export const issue = z.strictObject({
  id: z.string(),
  requestId: z.string(),
  phase: z.string(),
  component: z.string(),
  severity: z.enum(['failure', 'warning']),
  code: z.enum(issueCodes),
  message: z.string(),
  remedy: z.string().describe('What to do about it.'),
  item: z.strictObject({
    sourceId: z.string(),
    name: z.string().nullable(),
    sku: z.string().nullable(),
    path: z.string().nullable(),
  }),
  destinationId: z.string().nullable(),
  platform: z
    .strictObject({
      method: z.string(),
      path: z.string(),
      status: z.int(),
      title: z.string(),
      errors: z.record(z.string(), z.string()),
    })
    .nullable()
    .describe('The refusal of the platform; null if something else went wrong.'),
  state: z.enum(['open', 'healed', 'dismissed']),
  reason: z.string().nullable().describe('Why a person accepted it as it is, in their words.'),
  rule: z.string().nullable().describe('The healing rule that was tried.'),
  attempts: z.int(),
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
  url: z.string().describe('A page that explains the code.'),
})
export type Issue = z.infer<typeof issue>

/** The path above the page of each issue code. */
export const issueHelpPath = '/app/help/issues'

const partOfIssue = 'Part of the message, or of the name, SKU or id of the item.'

export const issueFilters = {
  phase: z.string().optional(),
  component: z.string().optional(),
  severity: z.enum(['failure', 'warning']).optional(),
  code: z.enum(issueCodes).optional(),
  state: z.enum(['open', 'healed', 'dismissed']).optional(),
  text: z.string().max(255).optional().describe(partOfIssue),
}

/** In all migrations of an organisation. */
export const searchedIssues = z.strictObject({
  text: issueFilters.text.describe('Part of the message or the code, or of the name, SKU or id of the item.'),
  code: issueFilters.code,
  severity: issueFilters.severity,
  phase: issueFilters.phase,
  state: issueFilters.state,
  itemId: z.string().max(255).optional().describe('Id of an item at the source or at the destination.'),
  since: moment.optional().describe('Those that last occurred at or after this time.'),
})
export const searchIssuesInput = z.strictObject({ ...searchedIssues.shape, ...pageInput })

const countsOfValues = z.record(z.string(), z.int())
export const issueCounts = z.strictObject({
  total: z.int(),
  code: countsOfValues,
  severity: countsOfValues,
  phase: countsOfValues,
  state: countsOfValues,
})
export type IssueCounts = z.infer<typeof issueCounts>

const reason = z
  .string()
  .trim()
  .min(1)
  .max(limits.reasonLength)
  .optional()
  .describe('Why it is right as it is; shown with the issue and in the report.')

export const dismissIssueInput = z.strictObject({ id: z.string(), issueId: z.string(), reason })

/**
 * Issues in the state that the call is about: those listed, or all that match the filters; with both, an issue must
 * match both.
 */
const issueChoice = {
  id: z.string(),
  ids: z
    .array(z.string())
    .min(1)
    .max(limits.dismissedIds)
    .optional()
    .describe('Issues by id; with an id that the migration does not have, nothing is changed.'),
  phase: issueFilters.phase,
  component: issueFilters.component,
  severity: issueFilters.severity,
  code: issueFilters.code,
  // Every issue has an empty text, such as that of a variable of a script that is not set.
  text: issueFilters.text.unwrap().regex(/\S/, 'Must not be empty.').optional().describe(partOfIssue),
}

export const dismissIssuesInput = z.strictObject({ ...issueChoice, reason })
export const retryIssuesInput = z.strictObject(issueChoice)
export const reopenIssuesInput = z.strictObject(issueChoice)

export const dismissed = z.strictObject({ dismissed: z.int().describe('Number of issues that were open before.') })

export const reopened = z.strictObject({ reopened: z.int().describe('Number of issues that were dismissed before.') })

export const listIssuesInput = z.strictObject({ id: z.string(), ...issueFilters, ...pageInput })
export const issuePage = pageOf(issue)

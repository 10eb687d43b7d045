import { z } from 'zod'
import type { Issue } from '../../contract/issues.ts'
import { issueFilters } from '../../contract/issues.ts'
import { getIssue } from '../../operations/issues/get-issue.ts'
import { listIssues } from '../../operations/issues/list-issues.ts'
import { searchIssues } from '../../operations/issues/search-issues.ts'
import { issueGroupings, summariseIssues } from '../../operations/issues/summarise-issues.ts'
import { count, itemFields, listOf, maybe, page, runId, since, text } from '../shapes.ts'
import { defineTool, type ToolContext } from '../tool.ts'

const code = z.string().max(64).optional().describe('Issue code, see get_migration_reference')

const issueShape = z.strictObject({
  issue_id: text,
  run_id: text,
  phase: text,
  component: text,
  severity: text,
  code: text,
  state: text,
  untrusted_message: text,
  ...itemFields,
})

/** Messages may quote names and platform errors; remedies are our own words. */
function describeIssue({
  id,
  requestId,
  phase,
  component,
  severity,
  code: said,
  state,
  message,
  item,
  destinationId,
}: Issue) {
  return {
    issueId: id,
    runId: requestId,
    phase,
    component,
    severity,
    code: said,
    state,
    untrusted_message: message,
    sourceId: item.sourceId,
    destinationId,
    untrusted_name: item.name,
    untrusted_sku: item.sku,
    untrusted_path: item.path,
  }
}

export const summarizeRunIssues = defineTool({
  name: 'summarize_run_issues',
  title: 'Summarize run issues',
  about:
    'Issues of a run in groups, each with counts, the remedy and one example. Start here to learn why items failed.',
  subject: 'run',
  input: z.strictObject({ run_id: runId, group_by: z.enum(issueGroupings).exclude(['state']).default('code') }),
  output: z.strictObject({
    groups: z.array(
      z.strictObject({
        key: text,
        total: count,
        open: count,
        failures: count,
        warnings: count,
        next_step: text,
        example_issue_id: text,
        untrusted_example: text,
      }),
    ),
  }),
  async answer({ run_id: id, group_by: groupBy }, { read }) {
    const { groups } = await read(summariseIssues, { id, groupBy })
    return {
      groups: groups.map(({ example, ...rest }) => ({
        ...rest,
        nextStep: example.remedy,
        exampleIssueId: example.id,
        untrusted_example: example.message,
      })),
    }
  },
})

export const listRunIssues = defineTool({
  name: 'list_run_issues',
  title: 'List run issues',
  about: 'Issues of a run item by item, oldest first. For counts use summarize_run_issues.',
  subject: 'run',
  input: z.strictObject({
    run_id: runId,
    severity: issueFilters.severity,
    phase: issueFilters.phase,
    component: issueFilters.component,
    code,
    state: issueFilters.state,
    ...page,
  }),
  output: listOf('issues', issueShape),
  answer: async ({ run_id: id, ...rest }, { read }) => describePage(await read(listIssues, { id, ...rest })),
})

export const getIssueTool = defineTool({
  name: 'get_issue',
  title: 'Get issue',
  about: 'One issue: the item, what the platform answered, and what to do about it.',
  subject: 'issue',
  input: z.strictObject({ issue_id: z.string().max(64).describe('issue_id from list_run_issues or search_issues') }),
  output: issueShape.extend({
    next_step: text,
    upstream: z
      .strictObject({
        method: text,
        path: text,
        status: count,
        untrusted_title: text,
        untrusted_errors: z.record(z.string(), text),
      })
      .optional(),
    healing_rule: maybe,
    attempts: count,
    first_at: text,
    last_at: text,
    portal_url: text,
  }),
  async answer({ issue_id: issueId }, { read, portalUrl }) {
    return wholeIssue(await read(getIssue, { issueId }), portalUrl)
  },
})

function wholeIssue(issue: Issue, portalUrl: ToolContext['portalUrl']) {
  const { platform, remedy, rule, attempts, firstAt, lastAt, requestId } = issue
  return {
    ...describeIssue(issue),
    nextStep: remedy,
    upstream: platform && {
      method: platform.method,
      path: platform.path,
      status: platform.status,
      untrusted_title: platform.title,
      untrusted_errors: platform.errors,
    },
    healingRule: rule,
    attempts,
    firstAt,
    lastAt,
    portalUrl: portalUrl(`/migrations/${requestId}/issues`),
  }
}

export const searchIssuesTool = defineTool({
  name: 'search_issues',
  title: 'Search issues',
  about: 'Issues of all runs by text, code or item id, latest first. Within one run use list_run_issues.',
  input: z.strictObject({
    query: z.string().min(1).max(255).optional().describe('Part of message, item name, SKU or id'),
    code,
    item_id: z.string().max(255).optional().describe('Source or destination id'),
    since,
    ...page,
  }),
  output: listOf('issues', issueShape),
  answer: async ({ query, item_id: itemId, ...rest }, { read }) =>
    describePage(await read(searchIssues, { text: query, itemId, ...rest })),
})

function describePage({ items, nextCursor }: { items: Issue[]; nextCursor: string | null }) {
  return { issues: items.map(describeIssue), nextCursor }
}

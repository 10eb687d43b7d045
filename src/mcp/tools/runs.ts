import { z } from 'zod'
import { historySorts } from '../../contract/history.ts'
import type { MigrationDetail } from '../../contract/migration.ts'
import { modes } from '../../contract/modes.ts'
import { isLive, migrationStatuses } from '../../contract/status.ts'
import { summariseIssues } from '../../operations/issues/summarise-issues.ts'
import { getMigration } from '../../operations/migrations/get-migration.ts'
import { getMigrationRequest } from '../../operations/migrations/get-migration-request.ts'
import { listMigrations } from '../../operations/migrations/list-migrations.ts'
import { getRunTimeline } from '../../operations/reports/get-run-timeline.ts'
import { summariseMigrations } from '../../operations/reports/summarise-migrations.ts'
import { briefShape, describeBriefly, describeEntry, describePair, entryShape } from '../run-entry.ts'
import { count, detail, listOf, maybe, ofPair, page, pairFields, runId, since, text } from '../shapes.ts'
import { defineTool } from '../tool.ts'

export const getMigrationOverview = defineTool({
  name: 'get_migration_overview',
  title: 'Overview of migrations',
  about: 'Runs by status, active runs, open failures, the last run of each pair of stores.',
  input: z.strictObject({ since }),
  output: z.strictObject({
    by_status: z.array(z.strictObject({ status: text, runs: count })),
    open_failures: count,
    active: z.array(briefShape),
    last_of_each_pair: z.array(briefShape),
  }),
  async answer(input, { read }) {
    const { active, lastOfEachPair, ...numbers } = await read(summariseMigrations, input)
    return { ...numbers, active: active.map(describeBriefly), lastOfEachPair: lastOfEachPair.map(describeBriefly) }
  },
})

export const listRuns = defineTool({
  name: 'list_runs',
  title: 'List runs',
  about: 'Runs, newest or highest first. Other tools take the run_id.',
  input: z.strictObject({
    status: z.array(z.enum(migrationStatuses)).optional(),
    mode: z.enum(modes).optional(),
    source_store: ofPair.optional(),
    destination_store: ofPair.optional(),
    created_after: since,
    created_before: since,
    sort_by: z.enum(historySorts).exclude(['created']).optional(),
    ...page,
  }),
  output: listOf('runs', entryShape),
  async answer({ status, mode, sort_by: sort, limit, cursor, ...rest }, { read, portalUrl }) {
    const filters = {
      source: rest.source_store,
      destination: rest.destination_store,
      createdFrom: rest.created_after,
      createdBefore: rest.created_before,
    }
    const { items, nextCursor } = await read(listMigrations, {
      status,
      mode: mode && [mode],
      sort,
      limit,
      cursor,
      ...filters,
    })
    return { runs: items.map((run) => describeEntry(run, portalUrl)), nextCursor }
  },
})

const progressShape = {
  phase: text,
  done: count,
  discovered: count,
  percent: z.number(),
  rate_per_sec: z.number(),
  eta_seconds: count.optional(),
  overall_eta_seconds: count.optional(),
  last_progress_at: text,
}

const counters = z.record(z.string(), count)

export const getRun = defineTool({
  name: 'get_run',
  title: 'Get run',
  about:
    'State of a run: status, summary, counters, progress; detail=full adds phases. Poll get_run_progress; get_run_settings has the request.',
  subject: 'run',
  input: z.strictObject({ run_id: runId, detail }),
  output: z.strictObject({
    run_id: text,
    ...pairFields,
    mode: text,
    strategy: text,
    status: text,
    untrusted_summary: text,
    failures_open: count,
    counters,
    created_at: text,
    started_at: maybe,
    updated_at: text,
    phase: text,
    percent: z.number(),
    overall_eta_seconds: count.optional(),
    phases: z.array(z.strictObject({ phase: text, counts: counters })).optional(),
    portal_url: text,
  }),
  async answer({ run_id: id, detail: requested }, { read, portalUrl }) {
    const run = await read(getMigration, { id })
    return {
      runId: run.requestId,
      ...describePair(run),
      mode: run.mode,
      strategy: run.conflictStrategy,
      status: run.status,
      untrusted_summary: run.summaryLine,
      failuresOpen: run.failuresOpen,
      counters: run.counters,
      createdAt: run.timestamps.created,
      startedAt: run.timestamps.started,
      updatedAt: run.timestamps.updated,
      phase: run.progress.phase,
      percent: run.progress.percent,
      overallEtaSeconds: etasOf(run).overallEtaSeconds,
      phases:
        requested === 'full'
          ? run.phases.map(({ key, label: _label, components: _, ...counts }) => ({ phase: key, counts }))
          : null,
      portalUrl: portalUrl(`/migrations/${run.requestId}`),
    }
  },
})

export const getRunProgress = defineTool({
  name: 'get_run_progress',
  title: 'Get run progress',
  about: 'To poll, every 10 seconds at most: status, phase, percent, rate, both ETAs in seconds.',
  subject: 'run',
  input: z.strictObject({ run_id: runId }),
  output: z.strictObject({ status: text, failures_open: count, ...progressShape }),
  async answer({ run_id: id }, { read }) {
    const run = await read(getMigration, { id })
    const { status, failuresOpen, progress } = run
    return { status, failuresOpen, ...progress, ...etasOf(run) }
  },
})

/** Until a run has a forecast, its remaining time is unknown. */
function etasOf({ status, forecast, progress: { etaSeconds, overallEtaSeconds } }: MigrationDetail) {
  if (isLive(status) && forecast === null) return { etaSeconds: null, overallEtaSeconds: null }
  return { etaSeconds, overallEtaSeconds }
}

export const getRunSettings = defineTool({
  name: 'get_run_settings',
  title: 'Get run settings',
  about:
    'What was requested and by whom: mode, strategy, entities, picks, storefronts, auto-heal, templates. Also why it waits or failed, or what a dry run would delete.',
  subject: 'run',
  input: z.strictObject({ run_id: runId }),
  output: z.strictObject({
    run_id: text,
    untrusted_label: maybe,
    untrusted_created_by: maybe,
    untrusted_settings: z.record(z.string(), z.unknown()),
    scope: z
      .array(
        z.strictObject({ component: text, picked: count, needed: count, created: z.boolean(), ids: z.array(text) }),
      )
      .optional(),
    asked: text,
    allowed_controls: z.array(text),
    verifies: maybe,
    waits_for: z.record(z.string(), text).optional(),
    waits_to_prune: count.optional(),
    would_prune: z.record(z.string(), count).optional(),
    failure_code: maybe,
    untrusted_failure: maybe,
  }),
  async answer({ run_id: id }, { read }) {
    const request = await read(getMigrationRequest, { id })
    const { queue } = request
    return {
      runId: request.requestId,
      untrusted_label: request.label,
      untrusted_created_by: request.createdBy?.name,
      untrusted_settings: { ...request.settings, label: null, selection: JSON.stringify(request.settings.selection) },
      scope: request.scope?.map(({ ids, ...rest }) => ({ ...rest, ids: ids.slice(0, 20) })),
      asked: request.asked,
      allowedControls: request.allowedControls,
      verifies: request.verifies,
      waitsFor: request.waiting ?? (queue && { why: queue.why, before: String(queue.before) }),
      waitsToPrune: request.prune?.items,
      wouldPrune: request.plan?.pruned,
      failureCode: request.failure?.code,
      untrusted_failure: request.failure?.message,
    }
  },
})

export const getRunTimelineTool = defineTool({
  name: 'get_run_timeline',
  title: 'Get run timeline',
  about: 'Events of a run, in order: creation, start, phases, controls, take-overs, end.',
  subject: 'run',
  input: z.strictObject({ run_id: runId }),
  output: z.strictObject({
    events: z.array(z.strictObject({ at: text, event: text, phase: maybe, untrusted_reason: maybe })),
  }),
  async answer({ run_id: id }, { read }) {
    const { events } = await read(getRunTimeline, { id })
    return { events: events.map(({ at, event, phase, reason }) => ({ at, event, phase, untrusted_reason: reason })) }
  },
})

export const compareRuns = defineTool({
  name: 'compare_runs',
  title: 'Compare runs',
  about: 'Two runs side by side: counters, phases that differ, issue codes. For two stores use a verify run.',
  subject: 'run',
  input: z
    .strictObject({ run_id: runId, other_run_id: runId })
    .refine(({ run_id: one, other_run_id: other }) => one.toLowerCase() !== other.toLowerCase(), {
      path: ['other_run_id'],
      message: 'Must not be the same run; name another one from list_runs.',
    }),
  output: z.strictObject({
    runs: z.array(z.strictObject({ run_id: text, mode: text, strategy: text, status: text, counters })),
    phases: z.array(z.strictObject({ phase: text, field: text, values: z.array(count) })),
    issue_codes: z.array(z.strictObject({ code: text, totals: z.array(count) })),
  }),
  async answer({ run_id: one, other_run_id: other }, { read }) {
    const ids = [one, other]
    const runs = await Promise.all(ids.map((id) => read(getMigration, { id })))
    const issues = await Promise.all(ids.map((id) => read(summariseIssues, { id, groupBy: 'code' })))
    const codes = new Set(issues.flatMap(({ groups }) => groups.map(({ key }) => key)))
    return {
      runs: runs.map(({ requestId, mode, conflictStrategy, status, counters: own }) => ({
        runId: requestId,
        mode,
        strategy: conflictStrategy,
        status,
        counters: own,
      })),
      phases: phaseDifferences(runs),
      issueCodes: [...codes].sort().map((code) => ({
        code,
        totals: issues.map(({ groups }) => groups.find(({ key }) => key === code)?.total ?? 0),
      })),
    }
  },
})

const comparedFields = ['total', 'created', 'updated', 'matched', 'skipped', 'failed', 'pruned'] as const
type Phases = { phases: ({ key: string } & Record<(typeof comparedFields)[number], number>)[] }

/** Only what differs; a phase that a run does not have counts as 0. */
function phaseDifferences(runs: Phases[]) {
  const keys = [...new Set(runs.flatMap(({ phases }) => phases.map(({ key }) => key)))]
  return keys.flatMap((phase) =>
    comparedFields
      .map((field) => ({
        phase,
        field,
        values: runs.map(({ phases }) => phases.find(({ key }) => key === phase)?.[field] ?? 0),
      }))
      .filter(({ values }) => new Set(values).size > 1),
  )
}

import { createHash } from 'node:crypto'
import { endAndCount, type LedgerState } from '../../db/ledger/ledger.ts'
import { forgetMappings, type Mapping, saveMappings } from '../../db/ledger/mappings.ts'
import {
  beginTries,
  countTried,
  endTries,
  failedOf,
  hasOpen,
  noteHealing,
  type OpenIssue,
  rootsToHeal,
  settleIssues,
  type Try,
  workedMs,
} from '../../db/reports/healing.ts'
import { type Entity, MissingReference, type Pass, type PlatformItem } from '../../entities/core/define.ts'
import { componentOf, entities } from '../../entities/registry.ts'
import { type HealingRule, healingBudgetMs, mayTry, mostPasses, ruleFor } from '../../model/healing.ts'
import type { RunContext } from '../context/context.ts'
import type { Resolved } from '../core/references.ts'
import { PassRunner } from '../pass/pass-runner.ts'
import { keyMatchesOf } from '../plan/key-matches.ts'
import { existingByIds, idsParameter, readNow } from '../read/by-ids.ts'
import { pendingAddress } from '../write/unconfirmed.ts'
import { HealingTime, inPasses } from './budget.ts'

/** Roots looked at in one go, where the source finds items by their ids; where it has to be read in full, more. */
const rootsAtOnce = 50
const rootsPerReading = 1000

/** A rule that holds for an open issue. */
interface Candidate {
  issue: OpenIssue
  rule: HealingRule
}

/**
 * Tries what a run could not do again, by named rules (F4): three times at most, and for a quarter of the time the run has
 * worked. Everything it needs stands with the issues; items are read again, and written like any others.
 *
 * `first`: only the first pass, for the sake of what is written next and never again. Those that follow go on from it.
 * `pruned`: the destination was just rid of what only it had, so that what had collided with that is tried once more (D4).
 */
export async function healRun(context: RunContext, part: 'all' | 'first' | 'pruned' = 'all'): Promise<void> {
  const { heal } = context.run
  if (!heal.auto && heal.round === 0) return
  const budgetMs = healingBudgetMs(await workedMs(context.database, context.run))
  const time = new HealingTime(context.clock, heal.usedMs, budgetMs)
  const tryPass = (number: number) => new HealingPass(context, time, number, { pruned: part === 'pruned' }).run()
  if (part === 'pruned') await tryPass(mostPasses)
  // A process before this one may have been further.
  else if (part === 'all' || heal.pass <= 1) await inPasses(time, heal.pass, tryPass, part === 'first' ? 1 : mostPasses)
  heal.usedMs = time.ms()
}

/** One look at everything that is open, in the order in which entities are copied: parents before what hangs on them. */
class HealingPass {
  private readonly context: RunContext
  private readonly time: HealingTime
  private readonly number: number
  private readonly pruned: boolean
  /** Each item is tried once in it. */
  private readonly stamp: string

  constructor(context: RunContext, time: HealingTime, number: number, { pruned }: { pruned: boolean }) {
    this.context = context
    this.time = time
    this.number = number
    this.pruned = pruned
    this.stamp = `${context.run.heal.round}.${pruned ? 'pruned' : number}`
  }

  /** @returns how many issues were tried in it, also earlier in the run or by a process before. */
  async run(): Promise<number> {
    const { database, run } = this.context
    await this.note()
    if (!(await hasOpen(database, run))) return 0
    for (const entity of entities) {
      if (!run.phases.includes(entity.key)) continue
      for (const pass of entity.passes) await this.healPass(entity, pass)
    }
    return countTried(database, run, this.stamp)
  }

  /** What is healed may be what others of the same pass wait for (categories), so it goes on as long as something is tried. */
  private async healPass(entity: Entity, pass: Pass): Promise<void> {
    let tried = 0
    for (let before = -1; before < tried; ) {
      before = tried
      for await (const issues of this.pages(pass)) {
        tried += await this.tryPage(entity, pass, issues)
        await this.note()
      }
    }
  }

  /** The first page of a pass in the first round through is always looked at: a short run has no quarter to speak of. */
  private async *pages(pass: Pass): AsyncGenerator<OpenIssue[]> {
    const { database, run } = this.context
    const limit = idsParameter(pass) ? rootsAtOnce : rootsPerReading
    for (let after = ''; ; ) {
      this.context.lease.stop.throwIfAborted()
      if (this.time.isUp() && (after !== '' || this.number > 1)) return
      const issues = await rootsToHeal(database, run, { pass: pass.key, stamp: this.stamp, after, limit })
      const last = issues.at(-1)
      if (!last) return
      after = last.rootId
      yield issues
    }
  }

  private note(): Promise<void> {
    const at = { pass: this.number, ms: this.time.ms() }
    return this.context.recorder.record((tx) => noteHealing(tx, this.context.run, at))
  }

  private async tryPage(entity: Entity, pass: Pass, issues: OpenIssue[]): Promise<number> {
    const candidates = issues.flatMap((issue) => this.candidate(issue))
    if (candidates.length === 0) return 0
    const ids = [...new Set(candidates.map(({ issue }) => issue.rootId))]
    const items = await readNow(this.context, 'source', pass, ids)
    const byId = new Map(items.map((item) => [String(item[pass.source.idField]), item]))
    const gone = candidates.filter(({ issue }) => !byId.has(issue.rootId))
    await this.leaveGone(pass, gone)
    const there = candidates.filter(({ issue }) => byId.has(issue.rootId))
    await this.restore(pass, itemsOf(byId, there, 'stale-reference'))
    const tries = await this.choose(pass, there, byId)
    await this.heal(entity, pass, tries, byId)
    return tries.length + gone.length
  }

  /** The rule for an issue, unless it is known without a look at any store that nothing has changed for it. */
  private candidate(issue: OpenIssue): Candidate[] {
    const { create, platformCreated = false } = componentOf(issue.component)
    const rule = ruleFor({ ...issue, batched: (create?.batch ?? 1) > 1, platformCreated })
    if (!rule) return []
    const known = this.knownFingerprint(rule)
    return known === undefined || mayTry(known, issue.tried[rule.name]) ? [{ issue, rule }] : []
  }

  /** Undefined when it takes a look at the stores. */
  private knownFingerprint({ precondition }: HealingRule): string | null | undefined {
    const { round } = this.context.run.heal
    switch (precondition) {
      case 'time':
        return this.stamp
      case 'once':
        return String(round)
      case 'manual':
        return round > 0 ? String(round) : null
      case 'pruned':
        return this.pruned ? this.stamp : null
      case 'key-matches':
      case 'references':
      case 'arrival':
        return undefined
      default:
        return precondition satisfies never
    }
  }

  /** Deleted at the source meanwhile: nothing is missing at the destination (C3). */
  private async leaveGone(pass: Pass, gone: Candidate[]): Promise<void> {
    if (gone.length === 0) return
    const { context } = this
    const tries = gone.map(({ issue }) => ({
      issueId: issue.id,
      rule: 'gone-at-source',
      told: `${called(issue)} was deleted in the source store; nothing is missing.`,
      fingerprint: '',
    }))
    const roots = gone.map(({ issue }) => issue.rootId)
    const failed = await failedOf(context.database, context.run, pass.key, roots)
    await context.recorder.record(async (tx, tally) => {
      await beginTries(tx, context.run, tries)
      await endAndCount(
        tx,
        tally,
        context.run.id,
        failed.map((one) => ({ ...one, state: 'skipped' })),
      )
      await settleIssues(
        tx,
        context.run,
        gone.map(({ issue }) => issue),
      )
      await endTries(tx, context.run, this.stamp, tries)
    })
  }

  private async choose(pass: Pass, candidates: Candidate[], items: Map<string, PlatformItem>): Promise<Chosen[]> {
    const resolved = await this.resolve(pass, itemsOf(items, candidates))
    const mappings = await this.context.references.mappings(
      candidates.map(({ issue }) => ({ component: pass.root, sourceId: issue.rootId })),
    )
    const chosen = await Promise.all(
      candidates.map(async ({ issue, rule }): Promise<Chosen[]> => {
        const one = resolved.get(issue.rootId)
        const mapping = mappings.get(`${pass.root}:${issue.rootId}`)
        const known = this.knownFingerprint(rule)
        const fingerprint = known === undefined ? await this.look(pass, issue, rule, one, mapping) : known
        if (fingerprint === null || !mayTry(fingerprint, issue.tried[rule.name])) return []
        return [{ issue, rule, mapping, issueId: issue.id, told: rule.message(called(issue)), fingerprint }]
      }),
    )
    return chosen.flat()
  }

  /** What the rule is about, as it stands now; null when the item still cannot be written. */
  private async look(
    pass: Pass,
    issue: OpenIssue,
    { precondition }: HealingRule,
    resolved: Resolved | undefined,
    mapping: Mapping | undefined,
  ): Promise<string | null> {
    if (!resolved) return null
    if (precondition === 'references') {
      const owed = (mapping?.owed ?? []).filter((one) => one.startsWith('reference:'))
      if (issue.code === 'reference_left_out')
        return digest(owed.filter((one) => !resolved.missing.includes(one)).sort())
      return digest(['there', ...[...resolved.known].map(([key, one]) => `${key}=${one.destinationId}`).sort()])
    }
    // What stands in the way of a child is not looked up: asking again is all there is.
    if (issue.sourceId !== issue.rootId || issue.component !== pass.root) return String(this.context.run.heal.round)
    const keyMatches = await keyMatchesOf(this.context, pass, [resolved.draft], { compares: false })
    const ways = (keyMatches.get(resolved.draft.id) ?? []).map((one) => [one.destinationId, one.claimedBy, ...one.keys])
    const fingerprints = ways.map((one) => JSON.stringify(one)).sort()
    if (precondition === 'arrival') return digest(fingerprints)
    return digest(['rivals', ...fingerprints])
  }

  private async heal(entity: Entity, pass: Pass, tries: Chosen[], items: Map<string, PlatformItem>): Promise<void> {
    if (tries.length === 0) return
    const { context } = this
    const saved: Try[] = tries.map(({ issueId, rule, told, fingerprint }) => ({
      issueId,
      rule: rule.name,
      told,
      fingerprint,
    }))
    await context.recorder.record(async (tx) => {
      await beginTries(tx, context.run, saved)
      await saveMappings(tx, context.pair, tries.flatMap(withPendingAddress))
    })
    const closed = await this.closed(pass, tries)
    const alone = new Set(tries.filter(({ rule }) => rule.alone).map(({ issue }) => issue.rootId))
    for (const byItself of [true, false]) {
      const some = tries.filter(({ issue }) => alone.has(issue.rootId) === byItself)
      const runner = new PassRunner(context, entity, pass, { adoptOnly: false, healing: { alone: byItself } })
      if (some.length > 0) await runner.heal(itemsOf(items, some), closed)
    }
    await context.recorder.record((tx) => endTries(tx, context.run, this.stamp, saved))
  }

  /** What failed on the same items for reasons that nothing is done about now. */
  private async closed(pass: Pass, tries: Chosen[]): Promise<Map<string, Map<string, LedgerState>>> {
    const { context } = this
    const tried = new Set(tries.map(({ issueId }) => issueId))
    const roots = [...new Set(tries.map(({ issue }) => issue.rootId))]
    const failed = await failedOf(context.database, context.run, pass.key, roots)
    const others = failed.filter(({ issueId }) => !tried.has(issueId))
    return new Map(
      [...Map.groupBy(others, ({ rootId }) => rootId)].map(([rootId, rows]) => [
        rootId,
        new Map(rows.map(({ component, sourceId }) => [`${component}/${sourceId}`, 'failed' as const])),
      ]),
    )
  }

  /** By the root's id; an item that cannot be written has none. */
  private async resolve(pass: Pass, items: PlatformItem[]): Promise<Map<string, Resolved>> {
    const resolved = await this.context.references.resolve(pass, items)
    const good = resolved.filter((one): one is Resolved => !(one instanceof MissingReference))
    return new Map(good.map((one) => [one.draft.id, one]))
  }

  /**
   * Of what the items name, that which was deleted at the destination: made again where the run's scope has it, otherwise
   * forgotten, so that it is looked for anew or left out (C4).
   */
  private async restore(pass: Pass, items: PlatformItem[]): Promise<void> {
    if (items.length === 0) return
    const { context } = this
    const known = [...(await this.resolve(pass, items)).values()].flatMap((one) => [...one.known.values()])
    for (const [component, mappings] of Map.groupBy(known, (mapping) => mapping.component)) {
      const home = passOf(component)
      if (!home) continue
      const ids = [...new Set(mappings.map(({ destinationId }) => destinationId))]
      const existing = await existingByIds(context, home.pass, ids, { compares: false })
      const gone = new Map(mappings.filter((one) => !existing.has(one.destinationId)).map((one) => [one.sourceId, one]))
      if (gone.size > 0) await this.restoreGone(home.entity, home.pass, [...gone.values()])
    }
  }

  private async restoreGone(entity: Entity, pass: Pass, gone: Mapping[]): Promise<void> {
    const { context } = this
    const inScope = context.run.phases.includes(entity.key)
    const ids = gone.map(({ sourceId }) => sourceId)
    const items = inScope ? await readNow(context, 'source', pass, ids) : []
    const read = new Set(items.map((item) => String(item[pass.source.idField])))
    await context.recorder.record((tx) =>
      forgetMappings(
        tx,
        context.pair,
        gone.filter(({ sourceId }) => !read.has(sourceId)),
      ),
    )
    // What they hang on themselves may be gone, too.
    await this.restore(pass, items)
    if (items.length === 0) return
    const runner = new PassRunner(context, entity, pass, { adoptOnly: false, healing: { alone: false } })
    await runner.heal(items, new Map())
  }
}

interface Chosen extends Omit<Try, 'rule'> {
  issue: OpenIssue
  rule: HealingRule
  mapping: Mapping | undefined
}

function called({ item, sourceId }: OpenIssue): string {
  return `"${item.name ?? sourceId}" (source ${sourceId})`
}

function itemsOf(
  items: Map<string, PlatformItem>,
  candidates: Pick<Candidate, 'issue' | 'rule'>[],
  rule?: string,
): PlatformItem[] {
  const some = rule === undefined ? candidates : candidates.filter((one) => one.rule.name === rule)
  const ids = new Set(some.map(({ issue }) => issue.rootId))
  return [...ids].map((id) => items.get(id)).filter((item) => item !== undefined)
}

/** The address is a step that the item still needs, for this one try. */
function withPendingAddress({ rule, mapping }: Chosen): Mapping[] {
  if (rule.name !== 'own-address' || !mapping) return []
  return [{ ...mapping, owed: [...mapping.owed, pendingAddress] }]
}

/** Where items of a component are read; undefined for what is only paired (channels). */
function passOf(component: string): { entity: Entity; pass: Pass } | undefined {
  for (const entity of entities) for (const pass of entity.passes) if (pass.root === component) return { entity, pass }
  return undefined
}

/** Null for nothing at all: then there is nothing to try for. */
function digest(parts: string[]): string | null {
  return parts.length === 0 ? null : createHash('sha256').update(parts.join('\n')).digest('base64url')
}

import { createHash } from 'node:crypto'
import { endAndCount, type LedgerState } from '../../db/ledger/ledger.ts'
import { saveMappings } from '../../db/ledger/mappings.ts'
import type { Mapping, NewMapping } from '../../db/ledger/store-pair.ts'
import {
  beginTries,
  countTried,
  endTries,
  failedOf,
  hasOpen,
  markHealing,
  noteHealing,
  type OpenIssue,
  refusedLists,
  rootsToHeal,
  settleIssues,
  type Try,
  workedMs,
} from '../../db/reports/healing.ts'
import { comesWithOthers } from '../../entities/core/component.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { calledItem } from '../../entities/item-words.ts'
import { componentOf, entities } from '../../entities/registry.ts'
import { destinationId } from '../../model/destination-id.ts'
import { type HealingRule, healingBudgetMs, mayTry, mostPasses, readAgainRule, ruleFor } from '../../model/healing.ts'
import { isKind, pendingAddress } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import type { Resolved } from '../core/references.ts'
import { drivePassAgain } from '../pass/drive-pass.ts'
import { healItems } from '../pass/heal-items.ts'
import { keyMatchesOf } from '../plan/key-matches.ts'
import { idsParameter, readNow } from '../read/by-ids.ts'
import { unlessRefused } from '../read/refused-list.ts'
import { HealingTime, inPasses } from './budget.ts'
import { resolveWritable, restoreReferenced } from './restore-referenced.ts'

/** Roots handled at a time if the source can be read by ids; more if it has to be read in full. */
const rootsAtOnce = 50
const rootsPerReading = 1000

/** An open issue and the rule that applies to it. */
interface Candidate {
  issue: OpenIssue
  rule: HealingRule
}

/**
 * `first`: only the first pass, before anything is written that can only be written once. Later calls continue after
 * it. `pruned`: one more pass, for items that collided with something that has just been deleted (D4).
 */
export type Healer = (part: 'all' | 'first' | 'pruned') => Promise<void>

/**
 * Retries what a run could not do, by named rules (F4), in at most three passes and for at most a quarter of the time
 * that the run has worked. The issues hold all it needs to know; items are read again and written like any others.
 */
export function createHealer(context: RunContext): Healer {
  const { heal } = context.run
  // Adds up from one call to the next.
  let usedMs = heal.usedMs
  return async (part) => {
    if (!heal.auto && heal.round === 0) return
    const budgetMs = healingBudgetMs(await workedMs(context.database, context.run))
    const time = new HealingTime(context.clock, usedMs, budgetMs)
    const tryPass = (number: number) => new HealingPass(context, time, number, { pruned: part === 'pruned' }).run()
    if (part === 'pruned') await tryPass(mostPasses)
    // An earlier attempt may have got further than the first pass.
    else if (part === 'all' || heal.pass <= 1)
      await inPasses(time, heal.pass, tryPass, part === 'first' ? 1 : mostPasses)
    await context.recorder.record((tx) => markHealing(tx, context.run, false))
    usedMs = time.ms()
  }
}

/** Tries every open issue once, in the order in which entities are copied: parents before their children. */
class HealingPass {
  private readonly context: RunContext
  private readonly time: HealingTime
  private readonly number: number
  private readonly pruned: boolean
  /** Marks issues that were tried in this pass, so that each is tried once. */
  private readonly stamp: string
  /** The round whose chosen issues may be tried; null: every open issue may be. */
  private readonly chosenRound: number | null

  constructor(context: RunContext, time: HealingTime, number: number, { pruned }: { pruned: boolean }) {
    this.context = context
    this.time = time
    this.number = number
    this.pruned = pruned
    this.chosenRound = context.run.heal.chosen ? context.run.heal.round : null
    this.stamp = `${context.run.heal.round}.${pruned ? 'pruned' : number}`
  }

  /** @returns how many issues were tried in this pass, also by earlier attempts */
  async run(): Promise<number> {
    const { database, run } = this.context
    await this.note()
    if (!(await hasOpen(database, run))) return 0
    const refused = await refusedLists(database, run, { stamp: this.stamp, chosenRound: this.chosenRound })
    for (const entity of entities)
      for (const pass of entity.passes) {
        const issue = refused.find((one) => one.pass === pass.key)
        if (issue) await this.readAgain(entity, pass, issue.id)
        if (run.phases.includes(entity.key))
          await unlessRefused(this.context, { entity, pass }, () => this.healPass(entity, pass))
      }
    return countTried(database, run, this.stamp)
  }

  /** Continues a pass whose list a store refused (G7). Entities that need its items come later. */
  private async readAgain(entity: Entity, pass: Pass, issueId: string): Promise<void> {
    const { context } = this
    if (this.time.isUp() && this.number > 1) return
    const told = readAgainRule.message(componentOf(pass.root).label.toLowerCase())
    const tries = [{ issueId, rule: readAgainRule.name, told, fingerprint: this.stamp }]
    await context.recorder.record(async (tx) => {
      await beginTries(tx, context.run, tries)
      await markHealing(tx, context.run, true)
    })
    await drivePassAgain(context, entity, pass)
    await context.recorder.record((tx) => endTries(tx, context.run, this.stamp, tries))
  }

  /** Repeats while anything is tried: other items of the pass may be waiting for healed ones (categories). */
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

  /**
   * The first page of the first pass, and of the one after deletions, is always tried: a quarter of a short run is next
   * to nothing.
   */
  private async *pages(pass: Pass): AsyncGenerator<OpenIssue[]> {
    const { database, run } = this.context
    const limit = idsParameter(pass) ? rootsAtOnce : rootsPerReading
    for (let after = ''; ; ) {
      this.context.lease.stop.throwIfAborted()
      const isFirst = after === '' && (this.number === 1 || this.pruned)
      if (this.time.isUp() && !isFirst) return
      const issues = await rootsToHeal(database, run, {
        pass: pass.key,
        stamp: this.stamp,
        chosenRound: this.chosenRound,
        after,
        limit,
      })
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
    await restoreReferenced(this.context, pass, itemsOf(byId, there, 'stale-reference'))
    const tries = await this.choose(pass, there, byId)
    await this.heal(entity, pass, tries, byId)
    return tries.length + gone.length
  }

  /** The issue with its rule, unless it is known even without reading a store that nothing relevant has changed. */
  private candidate(issue: OpenIssue): Candidate[] {
    const component = componentOf(issue.component)
    const batched = (component.create?.batch ?? 1) > 1
    const rule = ruleFor({ ...issue, batched, comesWithOthers: comesWithOthers(component) })
    if (!rule) return []
    const known = this.knownFingerprint(rule)
    return known === undefined || mayTry(known, issue.tried[rule.name]) ? [{ issue, rule }] : []
  }

  /** Undefined if only the stores can show it. */
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

  /** Settles issues about items deleted at the source meanwhile: nothing is missing at the destination (C3). */
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
    const resolved = await resolveWritable(this.context, pass, itemsOf(items, candidates))
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

  /** A fingerprint of the rule's precondition as it is now; null if the item still cannot be written. */
  private async look(
    pass: Pass,
    issue: OpenIssue,
    { precondition }: HealingRule,
    resolved: Resolved | undefined,
    mapping: Mapping | undefined,
  ): Promise<string | null> {
    if (!resolved) return null
    if (precondition === 'references') {
      const pending = (mapping?.owed ?? []).filter((one) => isKind(one, 'reference'))
      if (issue.code === 'reference_left_out')
        return pass.createOnly ? null : digest(pending.filter((one) => !resolved.missing.includes(one)).sort())
      return digest(['there', ...[...resolved.known].map(([key, one]) => `${key}=${one.destinationId}`).sort()])
    }
    // Why a child failed cannot be looked up, so it is only tried again on request.
    if (issue.sourceId !== issue.rootId || issue.component !== pass.root) return String(this.context.run.heal.round)
    const keyMatches = await keyMatchesOf(this.context, pass, [resolved.draft], { compares: false })
    const ways = (keyMatches.get(resolved.draft.id) ?? []).map((one) => [one.destinationId, one.claimedBy, ...one.keys])
    const fingerprints = ways.map((one) => JSON.stringify(one)).sort()
    if (precondition === 'arrival') return digest(fingerprints)
    // Stored fingerprints contain this word.
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
      await markHealing(tx, context.run, true)
      await saveMappings(tx, context.pair, tries.flatMap(withPendingAddress))
    })
    const closed = await this.closed(pass, tries)
    const exchanging = new Set(
      tries.filter(({ rule }) => rule.precondition === 'key-matches').map(({ issue }) => issue.rootId),
    )
    const alone = new Set(tries.filter(({ rule }) => rule.alone).map(({ issue }) => issue.rootId))
    for (const byItself of [true, false]) {
      const some = tries.filter(({ issue }) => alone.has(issue.rootId) === byItself)
      if (some.length > 0)
        await healItems(context, entity, pass, {
          alone: byItself,
          items: itemsOf(items, some),
          closed,
          exchanging,
          // All deletions on the list have been made.
          ...(this.pruned && { deletions: 'none' as const }),
        })
    }
    await context.recorder.record((tx) => endTries(tx, context.run, this.stamp, saved))
  }

  /** Other failures on the same items, which are not tried now. */
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
}

interface Chosen extends Omit<Try, 'rule'> {
  issue: OpenIssue
  rule: HealingRule
  mapping: Mapping | undefined
}

function called({ component, item, sourceId }: OpenIssue): string {
  return calledItem({ component, id: sourceId, name: item.name })
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

/** Makes the address pending work of the item, for this one try. */
function withPendingAddress({ rule, mapping }: Chosen): NewMapping[] {
  if (rule.name !== 'own-address' || !mapping) return []
  return [{ ...mapping, destinationId: destinationId(mapping.destinationId), owed: [...mapping.owed, pendingAddress] }]
}

/** Null without parts: then there is nothing to try. */
function digest(parts: string[]): string | null {
  return parts.length === 0 ? null : createHash('sha256').update(parts.join('\n')).digest('base64url')
}

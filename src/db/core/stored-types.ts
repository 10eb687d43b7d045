import type { Difference } from '../../contract/differences.ts'
import type { EventKind } from '../../contract/event-kinds.ts'
import type { IssueCode } from '../../contract/issue-codes.ts'
import type { Issue } from '../../contract/issues.ts'
import type { Forecast, MigrationDetail, Tier } from '../../contract/migration.ts'
import type { DeliveryProblem, EventData, testEvent } from '../../contract/notifications.ts'
import type { TierCaps } from '../../model/forecast/capacity.ts'
import type { PriceBasis } from '../../model/forecast/forecast.ts'
import type { KeptShape } from '../../model/forecast/kept-shape.ts'
import type { HistoryLine } from '../../model/history-entry.ts'
import type { SetLevel } from '../../model/kept-sales.ts'
import type { RequestRecord } from '../../model/request-record.ts'
import type { ComponentCount, Pace, RunPhase } from '../../model/run-facts.ts'

/**
 * What the database catalog does not say about a column: the shape of stored JSON, and text limited to our own closed
 * lists. The generated tables.ts uses these types instead of `unknown` and `string`.
 */
export interface StoredTypes {
  'audit.actor': 'user' | 'administrator' | 'command line' | 'visitor'
  'audit.details': Record<string, unknown>
  'before_images.item': { name: string | null; sku: string | null; parent: string | null }
  'deletions.item': StoredItem
  'differences.fields': { path: string; source?: unknown; destination?: unknown; names?: Record<string, string> }[]
  'differences.item': StoredItem
  'intents.baseline': string[]
  'intents.items': IntendedItem[]
  'issues.code': IssueCode
  'issues.item': StoredItem
  'issues.platform': NonNullable<Issue['platform']>
  'issues.tried': Record<string, string>
  'notification_events.data': EventData[keyof EventData]
  'notification_events.kind': EventKind | typeof testEvent
  'notification_mails.events': EventKind[]
  'notification_tries.problem': DeliveryProblem
  'oauth_records.payload': Record<string, unknown>
  'plan_bases.basis': PriceBasis
  'quota_shares.recent_calls': number[]
  'settled_writes.baseline': string[]
  'settled_writes.items': IntendedItem[]
  'runs.forecast': Forecast
  'runs.phases': RunPhase[]
  'runs.settings': Record<string, unknown>
  'runs.tier': Tier
  'side_effects.desired': Record<string, unknown>
  'side_effects.item': StoredItem
  'side_effects.ours': Record<string, unknown>
  'signing_keys.public_jwk': Record<string, unknown>
  'snapshots.document': MigrationDetail
  'snapshots.findings': StoredFindings
  'snapshots.line': StoredLine
  'snapshots.reading': StoredReading
  'snapshots.request': RequestRecord
  'started_stock.levels': Record<string, SetLevel>
  'staged_items.body': Record<string, unknown>
  'surveys.shapes': KeptShape[]
  'webhooks.events': EventKind[]
  'worker_hosts.tier_caps': TierCaps
}

/** Names of an item; all null for personal and secret components (S9). */
export interface StoredItem {
  name: string | null
  sku: string | null
  path: string | null
}

/** How many issues and differences of each kind a run has. */
export interface StoredFindings {
  issues: (Pick<Issue, 'phase' | 'component' | 'code' | 'severity' | 'state'> & { count: number })[]
  differences: DifferenceCount[]
}

export type DifferenceCount = Pick<Difference, 'phase' | 'kind'> & {
  count: number
  living: number
  kept: number
  dismissed: number
  changedMeanwhile: number
}

/** Says of which revision of the snapshot it is. */
export type StoredLine = HistoryLine & { revision: number }

/** What a run's detail was computed from, in addition to its row. */
export interface StoredReading {
  counts: (Omit<ComponentCount, 'progressedAt'> & { progressedAt: string | null })[]
  pace: Pace
}

/** What is known about an item before its call: enough to find it at the destination later. */
export interface IntendedItem {
  /** For a deletion, its id at the destination. */
  sourceId: string
  /** For a deletion counted as pruned: the item's own component, which may differ from that of the call. */
  component?: string
  /** The root item it belongs to. */
  rootId: string
  /** Address of its parent at the destination; '' at the top. */
  parentId: string
  /** Empty for what is never looked up: it is sent again if its answer is lost. */
  keys: string[]
  /** Its key without the part that the platform may rewrite; absent without keys. */
  alike?: string
  /** Absent for what is never looked up. */
  fingerprint?: string
  /** The content by which we recognise it as ours; the first versions stored none. */
  content?: { fields: string[]; digest: string }
  /** For a creation, the stock that it starts with, as `startingStock` gives it. */
  startsWith?: Record<string, number>
}

// Generated from the migrated database by `UPDATE_TABLES=1 npm test -- test/db/tables.test.ts`. Do not edit.

import type { StoredTypes } from './stored-types.ts'

interface Admissions {
  turn: number
  organisationId: string
  runId: string
  at: Date
}

interface ApiCredentials {
  organisationId: string
  clientId: string
  secretHash: Buffer
  lastFour: string
  version: number
  enabled: boolean
  updatedAt: Date
}

interface AppInstallations {
  hash: string
  installedAt: Date
  tokenEncrypted: Buffer | null
  claimHash: Buffer | null
  claimUntil: Date | null
  organisationId: string | null
  storeId: string | null
}

interface Audit {
  id: number
  organisationId: string | null
  actorUserId: string | null
  actor: StoredTypes['audit.actor']
  action: string
  details: StoredTypes['audit.details']
  at: Date
}

interface BearerTokens {
  id: string
  organisationId: string
  userId: string
  secretVersion: number
  address: string | null
  issuedAt: Date
  expiresAt: Date
  generation: number
}

interface BeforeImages {
  organisationId: string
  runId: string
  component: string
  destinationId: string
  action: 'update' | 'delete'
  body: unknown
  bodySealed: Buffer | null
  at: Date
  item: StoredTypes['before_images.item'] | null
}

interface Checkpoints {
  runId: string
  pass: string
  position: string
  pages: number
  finished: boolean
}

interface Deletions {
  id: number
  organisationId: string
  runId: string
  phase: string
  component: string
  destinationId: string
  parentId: string
  item: StoredTypes['deletions.item']
  reason: 'destination_only' | 'source_deleted'
  state: 'planned' | 'deleted' | 'kept'
  at: Date
  pass: string
  rootId: string
  parentName: string | null
  sourceId: string | null
  above: string | null
  position: number
  checksum: string | null
  atOnce: boolean
  confirmed: boolean
}

interface DestinationItems {
  runId: string
  component: string
  destinationId: string
  body: unknown
  seen: boolean
}

interface DestinationKeys {
  runId: string
  component: string
  key: string
  destinationId: string
}

interface DestinationLeases {
  platform: string
  storeHash: string
  runId: string
  takenAt: Date
}

interface Differences {
  id: number
  organisationId: string
  runId: string
  phase: string
  component: string
  kind: 'missing' | 'different' | 'extra'
  sourceId: string
  destinationId: string
  item: StoredTypes['differences.item']
  fields: StoredTypes['differences.fields']
  living: boolean
  changedMeanwhile: boolean
  kept: boolean
  state: 'open' | 'dismissed'
}

interface EncryptionCheck {
  onlyRow: boolean
  keyId: string
  value: Buffer
  rootSealed: Buffer | null
}

interface EndpointSlots {
  platform: string
  storeHash: string
  endpoint: string
  slot: number
  consumer: string
  takenAt: Date
}

interface FailedItems {
  runId: string
  component: string
  sourceId: string
  issueId: string
}

interface IdempotencyKeys {
  organisationId: string
  userId: string
  operation: string
  keyHash: Buffer
  bodyHash: Buffer
  runId: string | null
  at: Date
}

interface Intents {
  id: number
  organisationId: string
  sourceStoreId: string
  destinationStoreId: string
  runId: string
  epoch: number
  scope: string
  component: string
  action: 'create' | 'update' | 'delete'
  pass: string
  items: StoredTypes['intents.items']
  baseline: StoredTypes['intents.baseline'] | null
  doubtfulUntil: Date | null
  createdAt: Date
}

interface Invitations {
  id: string
  organisationId: string
  firstName: string
  lastName: string
  email: string
  emailKey: string
  role: 'owner' | 'operator' | 'viewer'
  tokenHash: Buffer | null
  expiresAt: Date | null
}

interface Issues {
  id: string
  organisationId: string
  runId: string
  phase: string
  component: string
  severity: 'failure' | 'warning'
  code: StoredTypes['issues.code']
  message: string
  remedy: string
  sourceId: string
  item: StoredTypes['issues.item']
  destinationId: string | null
  platform: StoredTypes['issues.platform'] | null
  state: 'open' | 'healed' | 'dismissed'
  rule: string | null
  attempts: number
  firstAt: Date
  lastAt: Date
  pass: string
  rootId: string
  told: string | null
  tried: StoredTypes['issues.tried']
  triedIn: string
  reason: string | null
  chosenRound: number | null
}

interface Ledger {
  runId: string
  component: string
  sourceId: string
  pass: string
  rootId: string
  state: 'pending' | 'created' | 'updated' | 'matched' | 'skipped' | 'failed' | 'cancelled' | 'pruned'
}

interface LedgerPages {
  runId: string
  component: string
  page: number
  firstId: string
  lastId: string
  matched: number
  skipped: number
}

interface LoginFailures {
  address: string
  clientIdHash: Buffer
  at: Date
  id: number
  settled: boolean
}

interface MappingSets {
  id: number
  organisationId: string
  sourceStoreId: string
  destinationStoreId: string
  scope: string
  component: string
}

interface Mappings {
  setId: number
  manyToOne: boolean
  extraChildren: boolean | null
  createdAt: Date
  updatedAt: Date
  runId: string
  origin: 'created' | 'adopted'
  sourceId: string
  destinationId: string
  owed: string[]
  draftChecksum: string | null
  destinationChecksum: string | null
  name: string | null
  sku: string | null
}

interface Memberships {
  organisationId: string
  userId: string
  role: 'owner' | 'operator' | 'viewer'
  active: boolean
  sinceGeneration: number
}

interface MovedAddresses {
  organisationId: string
  sourceStoreId: string
  destinationStoreId: string
  component: string
  sourceId: string
  sourcePath: string
  destinationPath: string
  followed: boolean
  storefront: string | null
}

interface NamedItems {
  runId: string
  side: 'source' | 'destination'
  pass: string
  itemId: string
}

interface NotificationDeliveries {
  id: string
  organisationId: string
  eventId: string
  webhookId: string | null
  userId: string | null
  state: 'pending' | 'delivered' | 'failed'
  tries: number
  nextTryAt: Date
  since: Date
  createdAt: Date
}

interface NotificationEvents {
  id: string
  position: number
  organisationId: string
  kind: StoredTypes['notification_events.kind']
  runId: string | null
  occasion: string | null
  data: StoredTypes['notification_events.data']
  at: Date
  distributedAt: Date | null
}

interface NotificationMails {
  organisationId: string
  userId: string
  events: StoredTypes['notification_mails.events']
}

interface NotificationTries {
  id: number
  organisationId: string
  deliveryId: string
  at: Date
  durationMs: number
  httpStatus: number | null
  problem: StoredTypes['notification_tries.problem'] | null
}

interface OauthConnections {
  grantId: string
  organisationId: string
  userId: string
  clientId: string
  clientName: string
  redirectHost: string
  connectedAt: Date
  lastUsedAt: Date | null
  generation: number
}

interface OauthRecords {
  model: string
  idHash: Buffer
  payload: StoredTypes['oauth_records.payload']
  grantId: string | null
  uid: string | null
  consumedAt: Date | null
  expiresAt: Date | null
  createdAt: Date
}

interface OauthRegistrations {
  address: string
  at: Date
}

interface OneTimeLinks {
  tokenHash: Buffer
  purpose: 'first-administrator' | 'invitation' | 'reset' | 'second-step'
  userId: string | null
  expiresAt: Date
  organisationId: string | null
}

interface Organisations {
  id: string
  name: string
  nameKey: string
  storeMigrationEnabled: boolean
  createdAt: Date
}

interface Outbox {
  id: number
  kind: string
  organisationId: string
  subjectId: string
  revision: number
  at: Date
  attempts: number
  nextTryAt: Date
  lastError: string | null
  deadAt: Date | null
  renewal: boolean
}

interface PlanBases {
  runId: string
  basis: StoredTypes['plan_bases.basis']
}

interface PlannedKeys {
  runId: string
  key: string
  holder: string
}

interface PlannedMappings {
  runId: string
  scope: string
  component: string
  sourceId: string
  destinationId: string
  origin: 'created' | 'adopted'
  manyToOne: boolean
  owed: string[]
  draftChecksum: string | null
  destinationChecksum: string | null
  madeBy: string
  forgotten: boolean
}

interface Preflights {
  runId: string
  originals: string | null
  at: Date
  destinationClient: string | null
}

interface PruneCandidates {
  runId: string
  component: string
  destinationId: string
  sourceId: string | null
}

interface QuotaShares {
  platform: string
  storeHash: string
  consumer: string
  expiresAt: Date
  recentCalls: StoredTypes['quota_shares.recent_calls']
  seenAt: Date
}

interface RecoveryCodes {
  userId: string
  codeHash: Buffer
}

interface Restarts {
  runId: string
  at: Date
  reason: string
}

interface RewrittenLinks {
  runId: string
  component: string
  items: number
  links: number
}

interface RunCalls {
  runId: string
  side: 'source' | 'destination'
  class: 'read' | 'write' | 'heavy'
  calls: number
  latencyMs: number
  predicted: number | null
}

interface RunCounters {
  runId: string
  phase: string
  component: string
  position: number
  expected: number | null
  discovered: number
  created: number
  updated: number
  matched: number
  skipped: number
  failed: number
  cancelled: number
  pruned: number
  errors: number | null
  warnings: number
  exceptions: number
  widgets: number
  progressedAt: Date | null
}

interface RunLeases {
  runId: string
  epoch: number
  holder: string | null
  heartbeatAt: Date | null
  claimedAt: Date | null
  doubtsRipeAt: Date
}

interface RunPhaseTimes {
  runId: string
  phase: string
  predictedSeconds: number | null
  calculatedSeconds: number | null
  startedAt: Date | null
  workedSeconds: number
  finishedAt: Date | null
}

interface Runs {
  id: string
  organisationId: string
  sourceStoreId: string
  destinationStoreId: string
  mode: 'full' | 'dry-run' | 'verify' | 'counts'
  conflictStrategy: 'skip' | 'update' | 'replace'
  autoHeal: boolean
  label: string | null
  settings: StoredTypes['runs.settings']
  selective: boolean
  sourceStorefront: string | null
  destStorefront: string | null
  phases: StoredTypes['runs.phases']
  status: 'queued' | 'in_progress' | 'paused' | 'completed' | 'failed' | 'cancelled' | 'partial_completed'
  asked: 'none' | 'pause' | 'cancel'
  verifiesRunId: string | null
  createdBy: string | null
  createdAt: Date
  startedAt: Date | null
  updatedAt: Date
  finishedAt: Date | null
  failureCode: string | null
  failureMessage: string | null
  revision: number
  forecast: StoredTypes['runs.forecast'] | null
  tier: StoredTypes['runs.tier']
  memMiB: number
  cpus: number
  phase: string
  lastProgressAt: Date
  workedMs: number
  admittedAt: Date | null
  attemptsWithoutProgress: number
  progressSamples: unknown
  percentReached: number
  healRound: number
  healPass: number
  healMs: number
  pruneDigest: string | null
  pruneAnswer: 'confirmed' | 'declined' | null
  pruneItems: number | null
  beforeImageSalt: Buffer
  waitingFor: 'source' | 'destination' | 'quota' | 'database' | null
  waitingStore: string | null
  waitingSince: Date | null
  waitingTries: number
  nextTryAt: Date | null
  fallbackReason: string | null
  settlesUntil: Date | null
  healChosen: boolean
  personalForgottenAt: Date | null
  originalsForgottenAt: Date | null
  findingsForgottenAt: Date | null
  healing: boolean
}

interface ScopeItems {
  runId: string
  side: 'source' | 'destination'
  component: string
  itemId: string
  why: 'picked' | 'needed' | 'met'
}

interface SecondSteps {
  userId: string
  secretEncrypted: Buffer
  confirmedAt: Date | null
  lastStep: number
}

interface Sessions {
  idHash: Buffer
  userId: string
  startedAt: Date
  seenAt: Date
  generation: number
  id: string
  address: string | null
  agent: string | null
  provedAt: Date
}

interface SettledWrites {
  id: number
  organisationId: string
  sourceStoreId: string
  destinationStoreId: string
  scope: string
  component: string
  items: StoredTypes['settled_writes.items']
  baseline: StoredTypes['settled_writes.baseline'] | null
  settledAt: Date
}

interface SideEffects {
  id: number
  platform: string
  storeHash: string
  kind: 'deferred-write' | 'mail' | 'stock'
  component: string
  subject: string
  organisationId: string
  sourceStoreId: string | null
  destinationStoreId: string
  runId: string
  desired: StoredTypes['side_effects.desired']
  ours: StoredTypes['side_effects.ours'] | null
  since: Date
  dueAt: Date | null
  triedAt: Date
  reportedAt: Date | null
  scope: string
  item: StoredTypes['side_effects.item'] | null
}

interface SignOffs {
  id: number
  organisationId: string
  runId: string
  comparisonId: string
  signedBy: string
  userId: string
  note: string | null
  at: Date
}

interface SigningKeys {
  kid: string
  publicJwk: StoredTypes['signing_keys.public_jwk']
  privateKeyEncrypted: Buffer
  createdAt: Date
  retiredAt: Date | null
}

interface Snapshots {
  runId: string
  organisationId: string
  revision: number
  document: StoredTypes['snapshots.document']
  at: Date
  schemaVersion: number
  request: StoredTypes['snapshots.request'] | null
  reading: StoredTypes['snapshots.reading'] | null
  findings: StoredTypes['snapshots.findings'] | null
  summary: string | null
  line: StoredTypes['snapshots.line'] | null
}

interface SourceIds {
  runId: string
  component: string
  sourceId: string
}

interface SourceKeys {
  runId: string
  component: string
  key: string
}

interface StagedItems {
  runId: string
  pass: string
  sourceId: string
  parentId: string | null
  level: number | null
  body: StoredTypes['staged_items.body']
}

interface StartedStock {
  organisationId: string
  destinationStoreId: string
  productId: number
  variantId: number
  quantity: number
  levels: StoredTypes['started_stock.levels']
  createdAt: Date
}

interface StockBefore {
  platform: string
  storeHash: string
  productId: number
  variantId: number
  locationId: number
  quantity: number
  seen: number | null
  target: number | null
}

interface StockSold {
  platform: string
  storeHash: string
  organisationId: string
  sourceStoreId: string
  destinationStoreId: string
  component: string
  sourceId: string
  productId: number
  variantId: number
  quantity: number
  refused: number
}

interface Stores {
  id: string
  organisationId: string
  platform: 'BC'
  hash: string
  label: string
  tokenEncrypted: Buffer | null
  platformClientId: string | null
  connectedAt: Date
  disconnectedAt: Date | null
  accessState: 'works' | 'refused' | 'silent' | null
  accessCheckedAt: Date | null
  accessLatencyMs: number | null
  uninstalledAt: Date | null
}

interface Surveys {
  organisationId: string
  sourceStoreId: string
  destinationStoreId: string
  surveyedAt: Date
  choices: string
  shapes: StoredTypes['surveys.shapes']
}

interface UsedUpWindows {
  platform: string
  storeHash: string
  endsAt: Date
}

interface Users {
  id: string
  firstName: string
  lastName: string
  email: string
  emailKey: string
  passwordHash: string | null
  active: boolean
  isAdministrator: boolean
  createdAt: Date
  tokensSince: Date
  generation: number
  signedInAt: Date | null
}

interface WebhookSecrets {
  id: string
  organisationId: string
  webhookId: string
  secretEncrypted: Buffer
  createdAt: Date
  expiresAt: Date | null
}

interface Webhooks {
  id: string
  organisationId: string
  url: string
  description: string
  events: StoredTypes['webhooks.events'] | null
  enabled: boolean
  disabledBecause: 'failures' | 'gone' | 'access_removed' | null
  failingSince: Date | null
  createdAt: Date
}

interface WorkerHosts {
  name: string
  maxRuns: number
  memoryMiB: number
  tierCaps: StoredTypes['worker_hosts.tier_caps']
  seenAt: Date
}

/** All tables, their columns by the names that queries give them. */
export interface Tables {
  admissions: Admissions
  api_credentials: ApiCredentials
  app_installations: AppInstallations
  audit: Audit
  bearer_tokens: BearerTokens
  before_images: BeforeImages
  checkpoints: Checkpoints
  deletions: Deletions
  destination_items: DestinationItems
  destination_keys: DestinationKeys
  destination_leases: DestinationLeases
  differences: Differences
  encryption_check: EncryptionCheck
  endpoint_slots: EndpointSlots
  failed_items: FailedItems
  idempotency_keys: IdempotencyKeys
  intents: Intents
  invitations: Invitations
  issues: Issues
  ledger: Ledger
  ledger_pages: LedgerPages
  login_failures: LoginFailures
  mapping_sets: MappingSets
  mappings: Mappings
  memberships: Memberships
  moved_addresses: MovedAddresses
  named_items: NamedItems
  notification_deliveries: NotificationDeliveries
  notification_events: NotificationEvents
  notification_mails: NotificationMails
  notification_tries: NotificationTries
  oauth_connections: OauthConnections
  oauth_records: OauthRecords
  oauth_registrations: OauthRegistrations
  one_time_links: OneTimeLinks
  organisations: Organisations
  outbox: Outbox
  plan_bases: PlanBases
  planned_keys: PlannedKeys
  planned_mappings: PlannedMappings
  preflights: Preflights
  prune_candidates: PruneCandidates
  quota_shares: QuotaShares
  recovery_codes: RecoveryCodes
  restarts: Restarts
  rewritten_links: RewrittenLinks
  run_calls: RunCalls
  run_counters: RunCounters
  run_leases: RunLeases
  run_phase_times: RunPhaseTimes
  runs: Runs
  scope_items: ScopeItems
  second_steps: SecondSteps
  sessions: Sessions
  settled_writes: SettledWrites
  side_effects: SideEffects
  sign_offs: SignOffs
  signing_keys: SigningKeys
  snapshots: Snapshots
  source_ids: SourceIds
  source_keys: SourceKeys
  staged_items: StagedItems
  started_stock: StartedStock
  stock_before: StockBefore
  stock_sold: StockSold
  stores: Stores
  surveys: Surveys
  used_up_windows: UsedUpWindows
  users: Users
  webhook_secrets: WebhookSecrets
  webhooks: Webhooks
  worker_hosts: WorkerHosts
}

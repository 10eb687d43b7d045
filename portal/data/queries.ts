import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query'
import { isLive, migrationStatuses } from '../../src/contract/status.ts'
import { ApiError, chosenOrganization, client, orThrow } from './client.ts'
import type { operations } from './schema.d.ts'

export type Answer<Name extends keyof operations> = operations[Name] extends {
  responses: { 200: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never
export type Body<Name extends keyof operations> = operations[Name] extends {
  requestBody: { content: { 'application/json': infer Content } }
}
  ? Content
  : never
export type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>

export type Session = Answer<'get-session'>
export type HistoryEntry = Answer<'list-migrations'>['items'][number]
export type Migration = Answer<'get-migration'>
export type MigrationRequest = Answer<'get-migration-request'>
export type OrganizationEntry = Answer<'list-organisations'>['items'][number]
export type AdministeredMigration = Answer<'list-all-migrations'>['items'][number]
export type AnyMigration = Answer<'get-any-migration'>
export type OrganizationDetail = Answer<'get-organisation'>
export type MemberEntry = Answer<'list-organisation-members'>['items'][number]
export type Capacity = Answer<'get-capacity'>
export type AdministratorEntry = Answer<'list-administrators'>['items'][number]
export type AuditEntry = Answer<'list-all-audit'>['items'][number]
export type AuditAction = NonNullable<Query<'list-audit'>['action']>
export type AuditFilters = Query<'list-audit'>
export type StoreEntry = Answer<'list-stores'>['items'][number]
export type StoreDetail = Answer<'get-store'>
export type EntityEntry = Answer<'list-entities'>['items'][number]
export type TokenScope = Answer<'list-entities'>['scopes'][number]
export type CatalogItem = Answer<'browse-catalog'>['items'][number]
export type Forecast = Answer<'forecast'>
export type ForecastBody = Body<'forecast'>
export type MigrationBody = Body<'create-migration'>
export type Preflight = Answer<'preflight'>
export type Issue = Answer<'list-issues'>['items'][number]
export type IssueFilters = Query<'list-issues'>
export type Difference = Answer<'list-differences'>['items'][number]
export type DifferenceFilters = Query<'list-differences'>
export type MigrationFilters = Query<'list-migrations'>

/** A read is repeated once if the service was busy or unreachable. Nothing else is repeated automatically. */
function retry(failures: number, error: Error): boolean {
  if (!(error instanceof ApiError) || failures > 0) return false
  return error.httpStatus === 429 || error.code === 'unavailable' || error.httpStatus === 0
}

function retryDelay(_: number, error: Error): number {
  return error instanceof ApiError && error.retryAfterSeconds !== null ? error.retryAfterSeconds * 1000 : 1_000
}

export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { staleTime: 10_000, retry, retryDelay, refetchOnWindowFocus: true } },
  })
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => orThrow(client.GET('/v2/session')),
  staleTime: 60_000,
})

/** Keys begin with the organization, so that data of two organizations never mix. */
export const ofOrganization = (...rest: unknown[]) => [chosenOrganization(), ...rest]

export const migrationsQuery = (query: MigrationFilters) =>
  queryOptions({
    queryKey: ofOrganization('migrations', query),
    queryFn: () => orThrow(client.GET('/v2/migrations', { params: { query } })),
    // Lists have no event stream, so they are loaded again while one of their migrations is running.
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => isMoving(status)) ? 5_000 : false),
  })

export const creatorsQuery = () =>
  queryOptions({
    queryKey: ofOrganization('creators'),
    queryFn: () => orThrow(client.GET('/v2/migrations/creators')),
  })

export const migrationKey = (id: string) => ofOrganization('migration', id)

export const migrationQuery = (id: string) =>
  queryOptions({
    queryKey: migrationKey(id),
    queryFn: () => orThrow(client.GET('/v2/migrations/{id}', { params: { path: { id } } })),
  })

export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ofOrganization('request', id),
    queryFn: () => orThrow(client.GET('/v2/migrations/{id}/request', { params: { path: { id } } })),
  })

export const issuesKey = (id: string) => ofOrganization('issues', id)

export const issuesQuery = (id: string, query: IssueFilters) =>
  queryOptions({
    queryKey: [...issuesKey(id), query],
    queryFn: () => orThrow(client.GET('/v2/migrations/{id}/issues', { params: { path: { id }, query } })),
    placeholderData: keepPreviousData,
  })

export const differencesKey = (id: string) => ofOrganization('differences', id)

export const differencesQuery = (id: string, query: DifferenceFilters) =>
  queryOptions({
    queryKey: [...differencesKey(id), query],
    queryFn: () => orThrow(client.GET('/v2/migrations/{id}/differences', { params: { path: { id }, query } })),
  })

export const organizationsQuery = (query: Query<'list-organisations'>) =>
  queryOptions({
    queryKey: ['admin', 'organizations', query],
    queryFn: () => orThrow(client.GET('/admin/api/organisations', { params: { query } })),
    placeholderData: keepPreviousData,
  })

/** Each read is audited, so it only happens when a person clicks. */
const onRecord = { refetchOnWindowFocus: false, refetchOnReconnect: false } as const

export const allMigrationsQuery = (query: Query<'list-all-migrations'>) =>
  queryOptions({
    queryKey: ['admin', 'migrations', query],
    queryFn: () => orThrow(client.GET('/admin/api/migrations', { params: { query } })),
    ...onRecord,
  })

export const anyMigrationQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'migration', id],
    queryFn: () => orThrow(client.GET('/admin/api/migrations/{id}', { params: { path: { id } } })),
    ...onRecord,
  })

export const organizationQuery = (organisation: string) =>
  queryOptions({
    queryKey: ['admin', 'organization', organisation],
    queryFn: () =>
      orThrow(client.GET('/admin/api/organisations/{organisation}', { params: { path: { organisation } } })),
  })

export const organizationMembersQuery = (organisation: string, query: Query<'list-organisation-members'>) =>
  queryOptions({
    queryKey: ['admin', 'organization members', organisation, query],
    queryFn: () =>
      orThrow(
        client.GET('/admin/api/organisations/{organisation}/members', { params: { path: { organisation }, query } }),
      ),
  })

export const capacityQuery = () =>
  queryOptions({
    queryKey: ['admin', 'capacity'],
    queryFn: () => orThrow(client.GET('/admin/api/capacity')),
    refetchInterval: 5_000,
  })

export const administratorsQuery = () =>
  queryOptions({
    queryKey: ['admin', 'administrators'],
    queryFn: () => orThrow(client.GET('/admin/api/administrators')),
  })

export const allAuditQuery = (query: Query<'list-all-audit'>) =>
  queryOptions({
    queryKey: ['admin', 'audit', query],
    queryFn: () => orThrow(client.GET('/admin/api/audit', { params: { query } })),
  })

export const auditQuery = (query: Query<'list-audit'>) =>
  queryOptions({
    queryKey: ofOrganization('audit', query),
    queryFn: () => orThrow(client.GET('/v2/audit', { params: { query } })),
  })

/** The people in the audit log, also those who are no members any more. */
export const auditPeopleQuery = () =>
  queryOptions({
    queryKey: ofOrganization('audit people'),
    queryFn: () => orThrow(client.GET('/v2/audit/people')),
  })

/** Statuses that change without a person. */
export const moving = ['queued', 'in_progress'] as const

export function isMoving(status: HistoryEntry['status']): boolean {
  return moving.some((one) => one === status)
}

/** How far an organization has come: its latest trial runs, copies and comparisons. */
export const firstStepQueries = () =>
  (['dry-run', 'full', 'verify'] as const).map((mode) => migrationsQuery({ mode: [mode], limit: 5 }))

/** Migrations that still need a store. */
export const unfinishedQuery = (store: string) =>
  migrationsQuery({ store, status: migrationStatuses.filter(isLive), limit: 1 })

/** What Home displays: migrations that wait for a person, that are running or wait for their turn, and that were last. */
export const homeQueries = () => [
  ...[['partial_completed'] as const, ['paused'] as const, moving].map((status) =>
    migrationsQuery({ status: [...status], limit: 5 }),
  ),
  migrationsQuery({ limit: 5 }),
  migrationsQuery({ waitsFor: 'deletion', limit: 5 }),
]

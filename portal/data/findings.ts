import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client, orThrow } from './client.ts'
import { type Answer, type Body, differencesKey, issuesKey, ofOrganization, type Query } from './queries.ts'

export type Deletion = Answer<'list-deletions'>['items'][number]
export type ItemPair = Answer<'list-mappings'>['items'][number]
export type BeforeImage = Answer<'list-before-images'>['items'][number]
export type IssueGroup = Answer<'summarise-issues'>['groups'][number]
export type ItemHistory = Answer<'get-item-history'>
export type ItemQuery = Query<'get-item-history'>
export type TimelineEvent = Answer<'get-run-timeline'>['events'][number]
export type Comparison = Answer<'compare-item'>
type ComparedItem = Omit<Body<'compare-item'>, 'entity'> & { entity: string }
export type DifferenceCounts = Answer<'count-differences'>

const one = (id: string) => ({ params: { path: { id } } })

/** @param digest of the set that waits for confirmation; with another digest it is another list */
export const deletionsQuery = (id: string, query: Query<'list-deletions'>, digest?: string) =>
  queryOptions({
    queryKey: ofOrganization('deletions', id, query, digest),
    queryFn: () => orThrow(client.GET('/v2/migrations/{id}/deletions', { params: { path: { id }, query } })),
    placeholderData: keepPreviousData,
  })

export const deletionCountsQuery = (id: string, digest?: string) =>
  queryOptions({
    queryKey: ofOrganization('deletion counts', id, digest),
    queryFn: () => orThrow(client.GET('/v2/migrations/{id}/deletions/summary', one(id))),
  })

export const pairsQuery = (id: string, query: Query<'list-mappings'>) =>
  queryOptions({
    queryKey: ofOrganization('pairs', id, query),
    queryFn: () => orThrow(client.GET('/v2/migrations/{id}/mappings', { params: { path: { id }, query } })),
  })

export const beforeImagesQuery = (id: string, query: Query<'list-before-images'>) =>
  queryOptions({
    queryKey: ofOrganization('before images', id, query),
    queryFn: () => orThrow(client.GET('/v2/migrations/{id}/before-images', { params: { path: { id }, query } })),
  })

export const issueGroupsQuery = (id: string, query: Query<'summarise-issues'>) =>
  queryOptions({
    queryKey: [...issuesKey(id), 'groups', query],
    queryFn: () => orThrow(client.GET('/v2/migrations/{id}/issues/summary', { params: { path: { id }, query } })),
    placeholderData: keepPreviousData,
  })

export const issueQuery = (id: string, issueId: string) =>
  queryOptions({
    queryKey: [...issuesKey(id), 'one', issueId],
    queryFn: () => orThrow(client.GET('/v2/migrations/{id}/issues/{issueId}', { params: { path: { id, issueId } } })),
  })

export const itemHistoryQuery = (query: ItemQuery) =>
  queryOptions({
    queryKey: ofOrganization('item history', query),
    queryFn: () => orThrow(client.GET('/v2/items/history', { params: { query } })),
  })

export const differenceCountsQuery = (id: string) =>
  queryOptions({
    queryKey: [...differencesKey(id), 'counts'],
    queryFn: () => orThrow(client.GET('/v2/migrations/{id}/differences/summary', one(id))),
  })

/** One item and its copy, read from both stores each time. */
export const comparisonQuery = (item: ComparedItem) =>
  queryOptions({
    queryKey: ofOrganization('comparison of one', item),
    // The kind comes from a list of the service, which refuses any other.
    queryFn: () => orThrow(client.POST('/v2/compare', { body: item as Body<'compare-item'> })),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

export const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: ofOrganization('timeline', id),
    queryFn: () => orThrow(client.GET('/v2/migrations/{id}/timeline', one(id))),
  })

export const signOffsQuery = (id: string) =>
  queryOptions({
    queryKey: ofOrganization('sign-offs', id),
    queryFn: () => orThrow(client.GET('/v2/migrations/{id}/sign-off', one(id))),
  })

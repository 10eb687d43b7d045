import { queryOptions } from '@tanstack/react-query'
import { client, orThrow } from './client.ts'
import { type Answer, auditQuery, ofOrganization, type Query } from './queries.ts'

export type MemberEntry = Answer<'list-members'>['items'][number]
export type BegunSecondStep = Answer<'begin-second-step'>
export type SessionEntry = Answer<'list-sessions'>['items'][number]
export type TokenEntry = Answer<'list-tokens'>['items'][number]
export type AssistantEntry = Answer<'list-assistants'>['items'][number]

export const membersQuery = (query: Query<'list-members'>) =>
  queryOptions({
    queryKey: ofOrganization('members', query),
    queryFn: () => orThrow(client.GET('/v2/members', { params: { query } })),
  })

export const loginsQuery = () => auditQuery({ action: 'login', limit: 10 })

export const credentialQuery = () =>
  queryOptions({
    queryKey: ofOrganization('credential'),
    queryFn: () => orThrow(client.GET('/v2/credential')),
  })

/** A person's own data does not depend on the organization. */
export const ownKey = ['own']

export const secondStepQuery = () =>
  queryOptions({
    queryKey: [...ownKey, 'second-step'],
    queryFn: () => orThrow(client.GET('/v2/session/second-step')),
  })

export const sessionsQuery = (cursor?: string) =>
  queryOptions({
    queryKey: [...ownKey, 'sessions', cursor],
    queryFn: () => orThrow(client.GET('/v2/sessions', { params: { query: { cursor } } })),
  })

export const tokensQuery = (cursor?: string) =>
  queryOptions({
    queryKey: [...ownKey, 'tokens', cursor],
    queryFn: () => orThrow(client.GET('/v2/tokens', { params: { query: { cursor } } })),
  })

export const assistantsQuery = (cursor?: string) =>
  queryOptions({
    queryKey: [...ownKey, 'assistants', cursor],
    queryFn: () => orThrow(client.GET('/v2/assistants', { params: { query: { cursor } } })),
  })

export const ownAuditQuery = (cursor?: string) =>
  queryOptions({
    queryKey: [...ownKey, 'audit', cursor],
    queryFn: () => orThrow(client.GET('/v2/session/audit', { params: { query: { cursor, limit: 20 } } })),
  })

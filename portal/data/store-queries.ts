import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client, orThrow } from './client.ts'
import { type ForecastBody, ofOrganization } from './queries.ts'
import type { operations } from './schema.d.ts'

/** From an address or a list of the service, which refuses any other kind. */
type Browsable = operations['browse-catalog']['parameters']['path']['entity']

type CatalogFilters = NonNullable<operations['browse-catalog']['parameters']['query']>

/** The most characters of a search in the catalog of a store. */
export const catalogTextLength = 100

export const storesQuery = () =>
  queryOptions({ queryKey: ofOrganization('stores'), queryFn: () => orThrow(client.GET('/v2/stores')) })

/** Calls the store itself, so it is not repeated while a person looks at the result. */
export const storeQuery = (hash: string) =>
  queryOptions({
    queryKey: ofOrganization('store', hash),
    queryFn: () => orThrow(client.GET('/v2/stores/{hash}', { params: { path: { hash } } })),
    refetchOnWindowFocus: false,
  })

export const storefrontsQuery = (hash: string) =>
  queryOptions({
    queryKey: ofOrganization('storefronts', hash),
    queryFn: () => orThrow(client.GET('/v2/stores/{hash}/storefronts', { params: { path: { hash } } })),
    staleTime: 30_000,
  })

/** The same for every organization, until the service is updated. */
export const entitiesQuery = () =>
  queryOptions({
    queryKey: ['entities'],
    queryFn: () => orThrow(client.GET('/v2/entities')),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const countsQuery = (hash: string) =>
  queryOptions({
    queryKey: ofOrganization('counts', hash),
    queryFn: () => orThrow(client.POST('/v2/counts', { body: { hash } })),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })

export const catalogQuery = (hash: string, entity: string, query: CatalogFilters) =>
  queryOptions({
    queryKey: ofOrganization('catalog', hash, entity, query),
    queryFn: () =>
      orThrow(
        client.GET('/v2/stores/{hash}/catalog/{entity}', {
          params: { path: { hash, entity: entity as Browsable }, query },
        }),
      ),
    placeholderData: keepPreviousData,
  })

export const catalogItemQuery = (hash: string, entity: string, itemId: string) =>
  queryOptions({
    queryKey: ofOrganization('catalog item', hash, entity, itemId),
    queryFn: () =>
      orThrow(
        client.GET('/v2/stores/{hash}/catalog/{entity}/{itemId}', {
          params: { path: { hash, entity: entity as Browsable, itemId } },
        }),
      ),
  })

export const templatesQuery = (hash: string, storefront: string | null) =>
  queryOptions({
    queryKey: ofOrganization('page templates', hash, storefront),
    queryFn: () =>
      orThrow(
        client.GET('/v2/stores/{hash}/page-templates', {
          params: { path: { hash }, query: storefront === null ? {} : { storefront } },
        }),
      ),
    staleTime: 60_000,
  })

/** Kept while a person goes back and forth between choices. The page asks anew when it is opened: a copy may have ended. */
export const forecastQuery = (body: ForecastBody) =>
  queryOptions({
    queryKey: ofOrganization('forecast', body),
    queryFn: () => orThrow(client.POST('/v2/forecast', { body })),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
  })

export const preflightQuery = (body: ForecastBody) =>
  queryOptions({
    queryKey: ofOrganization('preflight', body),
    queryFn: () => orThrow(client.POST('/v2/preflight', { body })),
    staleTime: 60_000,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
  })

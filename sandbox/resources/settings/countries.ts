import { noContent, Refusal, v2Error } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { v2PageOf } from '../../http/v2-page.ts'
import { COUNTRIES, type Country, STATES, type State } from './country-list.ts'

const SCOPE = 'store_v2_information'
const ALL = '/v2/countries'
const ONE = `${ALL}/:countryId`
const STATES_OF = `${ONE}/states`

/** The links lead to this sandbox, as the platform's links lead to the platform. */
function shown({ store }: SandboxRequest, country: Country) {
  const resource = `/countries/${country.id}/states`
  return { ...country, states: { url: `${store.imageBase.replace(/images$/, 'v2')}${resource}.json`, resource } }
}

/** Filters compare whole names without case. v2 ends a list with a 204. */
function page<T>(request: SandboxRequest, rows: readonly T[], fields: (keyof T & string)[]): readonly T[] {
  const { query } = request
  const kept = rows.filter((row) =>
    fields.every((field) => !query.has(field) || String(row[field]).toLowerCase() === query.get(field)?.toLowerCase()),
  )
  const { offset, limit } = v2PageOf(query)
  return kept.slice(offset, offset + limit)
}

function answer(rows: readonly unknown[]): SandboxAnswer {
  return rows.length === 0 ? noContent() : { status: 200, body: rows }
}

function count(rows: readonly unknown[]): SandboxAnswer {
  return { status: 200, body: { count: rows.length } }
}

function refuseUnknown(what: string): never {
  throw new Refusal(v2Error(404, `The ${what} is not found.`))
}

function namedCountry({ params }: SandboxRequest): Country {
  return COUNTRIES.find(({ id }) => id === Number(params.countryId)) ?? refuseUnknown('country')
}

function statesOf(request: SandboxRequest): State[] {
  const { id } = namedCountry(request)
  return STATES.filter(({ country_id }) => country_id === id)
}

function namedState(request: SandboxRequest): State {
  return statesOf(request).find(({ id }) => id === Number(request.params.stateId)) ?? refuseUnknown('state')
}

const STATE_FILTERS: (keyof State & string)[] = ['state', 'state_abbreviation']
const COUNTRY_FILTERS: (keyof Country & string)[] = ['country', 'country_iso2', 'country_iso3']

const get = { method: 'GET', scope: SCOPE, latency: 'read' } as const

export const countries: SandboxResource = {
  key: 'countries',
  routes: [
    {
      ...get,
      path: ALL,
      handle: (request) => answer(page(request, COUNTRIES, COUNTRY_FILTERS).map((country) => shown(request, country))),
    },
    { ...get, path: `${ALL}/count`, handle: () => count(COUNTRIES) },
    { ...get, path: `${ALL}/states`, handle: (request) => answer(page(request, STATES, [])) },
    { ...get, path: `${ALL}/states/count`, handle: () => count(STATES) },
    { ...get, path: ONE, handle: (request) => ({ status: 200, body: shown(request, namedCountry(request)) }) },
    { ...get, path: STATES_OF, handle: (request) => answer(page(request, statesOf(request), STATE_FILTERS)) },
    { ...get, path: `${STATES_OF}/count`, handle: (request) => count(statesOf(request)) },
    { ...get, path: `${STATES_OF}/:stateId`, handle: (request) => ({ status: 200, body: namedState(request) }) },
  ],
}

import { expect, test } from 'vitest'
import {
  CredentialsError,
  MissingScopeError,
  PlatformError,
  StoreUnreachableError,
  UnconfirmedWriteError,
} from '../../bigcommerce/errors.ts'
import { storeFailure } from './store-failures.ts'

const store = { side: 'destination', hash: 'abc123' } as const
const post = { method: 'POST', path: '/v3/catalog/brands' }
const scopeTitle = { title: "You don't have a required scope to access the endpoint" }

test.each([
  [new CredentialsError({ ...post, httpStatus: 401, body: 'Unauthorized' }), 'credentials_revoked', null],
  [new MissingScopeError({ ...post, httpStatus: 403, body: scopeTitle }), 'missing_scope', null],
  [
    new StoreUnreachableError({ method: 'GET', path: '/v2/store' }, { httpStatus: 503, tries: 5 }),
    'store_unreachable',
    'destination',
  ],
  [new UnconfirmedWriteError(post, { httpStatus: null, onSocket: false }), 'store_unreachable', 'destination'],
  [new UnconfirmedWriteError(post, { httpStatus: 429, onSocket: false }), 'store_unreachable', 'quota'],
])('%s shuts the whole run out; the message names the store and what to do, and an outage is waited for', (error, code, waitingFor) => {
  const failure = storeFailure(error, store)
  const outage = waitingFor && { waitingFor, waitingStore: 'abc123' }
  expect(failure).toMatchObject({ code, outage, cause: error })
  expect(failure?.message).toContain('destination store abc123')
  expect(failure?.message).toContain('then resume the migration: it continues where it stopped.')
})

test('a scope is named as the control panel calls it: for reading and for writing', () => {
  const messageOf = (method: string, path: string) =>
    storeFailure(new MissingScopeError({ method, path, httpStatus: 403, body: scopeTitle }), store)?.message
  expect(messageOf('POST', '/v3/catalog/products')).toContain('lacks the scope store_v2_products.')
  expect(messageOf('GET', '/v3/catalog/products')).toContain('lacks the scope store_v2_products_read_only.')
  expect(messageOf('GET', '/v2/store')).toContain('lacks the scope store_v2_information_read_only.')
  expect(messageOf('GET', '/v3/channels')).toContain('lacks the scope store_channel_settings_read_only.')
  expect(messageOf('POST', '/v3/inventory/locations')).toContain('lacks the scope store_locations.')
  expect(messageOf('PUT', '/v3/inventory/items')).toContain('lacks the scope store_inventory.')
  expect(messageOf('GET', '/v3/themes')).toContain('lacks the scope store_themes_read_only.')
  expect(messageOf('GET', '/v3/tax/zones')).toContain('lacks the scope for /v3/tax/zones.')
})

test('a limit of the platform, a refusal and an unconfirmed write are about one call', () => {
  const limit = new MissingScopeError({ ...post, httpStatus: 403, body: { title: 'The limit of brands is reached' } })
  const refusal = new PlatformError({ ...post, httpStatus: 422, body: {} })
  const unconfirmed = new UnconfirmedWriteError(post, { httpStatus: 502, onSocket: true })
  expect([limit, refusal, unconfirmed].map((error) => storeFailure(error, store))).toEqual([null, null, null])
})

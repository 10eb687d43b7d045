import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOrganisation } from '../api/a-service.ts'
import { postMessage } from '../mcp/a-connection.ts'
import {
  allow,
  anAssistant,
  authorizeUrl,
  Browser,
  connect,
  exchange,
  refresh,
  register,
} from '../oauth/an-assistant.ts'
import { aMerchant, type Merchant } from './a-merchant.ts'

let merchant: Merchant
beforeAll(async () => {
  merchant = await aMerchant()
})
afterAll(() => merchant?.close())

const tenDaysSeconds = 10 * 24 * 60 * 60

test('Migration API bearer token lifetime | 10 days', async () => {
  const { service, organisation } = merchant
  const { access_token, expires_in } = (await service.login(organisation.identity)).json()
  expect(expires_in).toBe(tenDaysSeconds)
  service.clock.jumpSeconds(tenDaysSeconds - 1)
  expect((await service.get('/v2/stores', access_token)).statusCode).toBe(200)
  // A few seconds are let pass for clocks that differ.
  service.clock.jumpSeconds(10)
  expect((await service.get('/v2/stores', access_token)).statusCode).toBe(401)
})

test('Minimum connected stores for login | 2', async () => {
  const { service } = merchant
  const one = await anOrganisation(service, { stores: ['alone1'] })
  expect((await service.login(one.identity)).statusCode).toBe(403)
  const two = await anOrganisation(service, { stores: ['alone2', 'alone3'] })
  expect((await service.login(two.identity)).statusCode).toBe(200)
})

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const minute = 60

async function aSignedInBrowser(): Promise<Browser> {
  const browser = new Browser(merchant.service)
  await browser.signIn(merchant.organisation.userId)
  return browser
}

test('Tool endpoint access token lifetime | about 1 hour', async () => {
  const { service, organisation } = merchant
  const { tokens } = await connect(service, organisation.userId)
  const status = async () => (await postMessage(service, tokens.access_token, ping)).statusCode
  service.clock.jumpSeconds(59 * minute)
  expect(await status()).toBe(200)
  service.clock.jumpSeconds(2 * minute)
  expect(await status()).toBe(401)
})

test('Tool endpoint refresh token lifetime | about 30 days', async () => {
  const { service, organisation } = merchant
  for (const [days, httpStatus] of [
    [29, 200],
    [31, 400],
  ] as const) {
    const { assistant, tokens } = await connect(service, organisation.userId)
    service.clock.jumpSeconds(days * 24 * 60 * minute)
    expect((await refresh(service, assistant, tokens.refresh_token)).statusCode).toBe(httpStatus)
  }
})

test('Authorisation code lifetime | about 5 minutes; single use', async () => {
  const { service } = merchant
  for (const [minutes, httpStatuses] of [
    [4, [200, 400]],
    [6, [400, 400]],
  ] as const) {
    const assistant = await anAssistant(service)
    const code = (await allow(await aSignedInBrowser(), assistant)).get('code') ?? ''
    service.clock.jumpSeconds(minutes * minute)
    const first = await exchange(service, assistant, code)
    const second = await exchange(service, assistant, code)
    expect([first.statusCode, second.statusCode]).toEqual(httpStatuses)
  }
})

test('Number of tools | 30, read-only', async () => {
  const { service, organisation } = merchant
  const { tokens } = await connect(service, organisation.userId)
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const { tools } = (await postMessage(service, tokens.access_token, list)).json().result
  expect(tools).toHaveLength(30)
  for (const { annotations } of tools) expect(annotations.readOnlyHint).toBe(true)
})

test('PKCE method | S256 only', async () => {
  const { code_challenge_methods_supported } = (
    await merchant.service.get('/.well-known/oauth-authorization-server')
  ).json()
  expect(code_challenge_methods_supported).toEqual(['S256'])
  const { parameters } = await anAssistant(merchant.service)
  const plain = await (await aSignedInBrowser()).get(authorizeUrl({ ...parameters, code_challenge_method: 'plain' }))
  expect(new URL(String(plain.headers.location)).searchParams.get('error')).toBe('invalid_request')
})

test('Client authentication on tool endpoint | public clients only', async () => {
  for (const method of ['client_secret_basic', 'client_secret_post', 'private_key_jwt']) {
    const refused = await register(merchant.service, { token_endpoint_auth_method: method }, '198.51.100.3')
    expect(refused.statusCode).toBe(400)
  }
})

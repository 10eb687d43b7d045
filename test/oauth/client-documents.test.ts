import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { createOutbound, type Outbound } from '../../src/outbound.ts'
import { anOrganisation, aService, type Service } from '../api/a-service.ts'
import { postMessage } from '../mcp/a-connection.ts'
import {
  allow,
  anAssistant,
  authorizeUrl,
  Browser,
  exchange,
  reachConsent,
  redirectUri,
  refresh,
} from './an-assistant.ts'

const clientId = 'https://assistant.example/client.json'
const document = { client_id: clientId, client_name: 'At an address', redirect_uris: [redirectUri] }
let service: Service
afterEach(() => service.close())

interface Answers {
  httpStatus?: number
  body?: string
  headers?: Record<string, string>
}

/** The way out as a site at the other end would answer it. */
function answering({ httpStatus = 200, body = JSON.stringify(document), headers = {} }: Answers = {}) {
  const asked: string[] = []
  const outbound: Outbound = async ({ url }) => {
    asked.push(url)
    return { httpStatus, headers, body: Buffer.from(body) }
  }
  return { asked, outbound }
}

async function authorize(outbound: Outbound | undefined, id = clientId) {
  service = await aService({ clientDocuments: outbound })
  const browser = new Browser(service)
  await browser.signIn((await anOrganisation(service)).userId)
  const { verifier, parameters } = await anAssistant(service)
  const assistant = { clientId: id, verifier, parameters: { ...parameters, client_id: id } }
  return { browser, assistant, answer: await browser.get(authorizeUrl(assistant.parameters)) }
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('off, the default', () => {
  test('an address is not a client id, and the metadata do not offer it', async () => {
    const { answer } = await authorize(undefined)
    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined])
    const found = (await service.get('/.well-known/oauth-authorization-server')).json()
    expect(found.client_id_metadata_document_supported).toBeFalsy()
  })
})

describe('on', () => {
  test('the document of an unregistered client is fetched once; the client is allowed, refreshed and disconnected', async () => {
    const { asked, outbound } = answering()
    const { browser, assistant } = await authorize(outbound)
    const found = (await service.get('/.well-known/oauth-authorization-server')).json()
    expect(found.client_id_metadata_document_supported).toBe(true)
    const { page } = await reachConsent(browser, assistant)
    expect(page.body).toContain('An unverified application that calls itself <q>At an address</q>')
    expect(page.body).toContain('assistant.example')
    const code = (await allow(browser, assistant)).get('code') ?? ''
    const first = await exchange(service, assistant, code)
    expect(first.statusCode).toBe(200)
    expect((await postMessage(service, first.json().access_token, ping)).statusCode).toBe(200)
    const second = await refresh(service, assistant, first.json().refresh_token)
    expect((await postMessage(service, second.json().access_token, ping)).statusCode).toBe(200)
    expect(asked).toEqual([clientId])
    const [{ id }] = (await browser.get('/v2/assistants')).json().items
    await browser.delete(`/v2/assistants/${id}`)
    expect((await postMessage(service, second.json().access_token, ping)).statusCode).toBe(401)
  })

  test('registration still works', async () => {
    const { assistant } = await authorize(answering().outbound)
    const registered = await anAssistant(service)
    expect(registered.clientId).toMatch(/^sfm_/)
    expect(assistant.clientId).toBe(clientId)
  })

  const wrong = (changes: object) => ({ body: JSON.stringify({ ...document, ...changes }) })
  test.each<[string, Answers]>([
    ['names another client', wrong({ client_id: 'https://other.example/client.json' })],
    ['names no client', wrong({ client_id: undefined })],
    ['has a secret', wrong({ client_secret: 'x' })],
    ['authenticates with a secret', wrong({ token_endpoint_auth_method: 'client_secret_post' })],
    ['leads to http elsewhere', wrong({ redirect_uris: ['http://elsewhere.example/'] })],
    ['leads to a script', wrong({ redirect_uris: ['javascript:alert(1)'] })],
    ['leads nowhere', wrong({ redirect_uris: [] })],
    ['leads to another place than asked', wrong({ redirect_uris: ['https://elsewhere.example/'] })],
    ['is no JSON', { body: '<html>' }],
    ['is a list', { body: '[]' }],
    ['is missing', { httpStatus: 404 }],
    ['is elsewhere', { httpStatus: 302, headers: { location: 'https://elsewhere.example/' } }],
  ])('S3, S16: a document that %s is refused', async (_, answers) => {
    const { answer } = await authorize(answering(answers).outbound)
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.headers.location).toBeUndefined()
    expect(answer.body).toContain('could not be connected')
  })

  test.each([
    'https://assistant.example/',
    'https://user@assistant.example/client.json',
    'https://assistant.example./client.json',
    `https://assistant.example/${'x'.repeat(255)}`,
    'http://assistant.example/client.json',
  ])('%s is never fetched', async (id) => {
    const { asked, outbound } = answering()
    const { answer } = await authorize(outbound, id)
    expect([answer.statusCode >= 400, asked]).toEqual([true, []])
  })

  test.each([
    'https://127.0.0.1/client.json',
    'https://10.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/client.json',
    'https://[::ffff:127.0.0.1]/client.json',
  ])('S3: the real outbound client does not reach %s', async (id) => {
    const outbound = createOutbound({ clock: systemClock, allowLoopback: false })
    const { answer } = await authorize(outbound, id)
    expect([answer.statusCode >= 400, answer.headers.location]).toEqual([true, undefined])
  })

  test('fetches per hour and address are limited', async () => {
    const asked: string[] = []
    const outbound: Outbound = async ({ url }) => {
      asked.push(url)
      return { httpStatus: 200, headers: {}, body: Buffer.from(JSON.stringify({ ...document, client_id: url })) }
    }
    const { browser, assistant } = await authorize(outbound)
    const ask = async (client_id: string) =>
      String((await browser.get(authorizeUrl({ ...assistant.parameters, client_id }))).headers.location)
    for (let at = 1; at < limits.clientDocumentsPerHour; at += 1)
      expect(await ask(`https://assistant.example/${at}`)).toContain('/interaction/')
    expect(await ask('https://assistant.example/more')).not.toContain('/interaction/')
    expect(asked).toHaveLength(limits.clientDocumentsPerHour)
    service.clock.jumpSeconds(3_601)
    expect(await ask('https://assistant.example/more')).toContain('/interaction/')
  })

  test.each([
    ['is missing', { httpStatus: 404 }],
    ['is not valid', { body: '{}' }],
    ['belongs to another address', { body: JSON.stringify({ ...document, client_id: 'https://other.example/c' }) }],
  ])('S16: a document that %s counts once for each request, too', async (_, answers) => {
    const { asked, outbound } = answering(answers)
    const { browser, assistant } = await authorize(outbound)
    for (let at = 1; at < limits.clientDocumentsPerHour + 1; at += 1)
      await browser.get(authorizeUrl({ ...assistant.parameters, client_id: `https://assistant.example/${at}` }))
    expect(asked).toHaveLength(limits.clientDocumentsPerHour)
    expect(new Set(asked).size).toBe(limits.clientDocumentsPerHour)
  })

  test('a document is fetched again only after its cache time', async () => {
    const { asked, outbound } = answering({ headers: { 'cache-control': 'max-age=0' } })
    const { browser, assistant } = await authorize(outbound)
    await browser.get(authorizeUrl(assistant.parameters))
    expect(asked).toHaveLength(1)
  })
})

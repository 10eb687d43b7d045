import { readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { expect, test } from 'vitest'
import { readConfig, settings } from './config.ts'

test('S11: with an empty environment the service only listens on this machine', () => {
  expect(readConfig({ HOME: '/home/merchant' })).toMatchObject({
    siteUrl: 'http://localhost:4000',
    host: '127.0.0.1',
    port: 4000,
    trustedProxies: [],
    dataDirectory: '/home/merchant/.local/share/storeferry',
    openSearch: undefined,
    bigcommerceApiUrl: 'https://api.bigcommerce.com',
    requestTimeoutSeconds: 75,
    settleSeconds: 30,
    outageHours: 24,
    retention: { ledger: 90, personal: 30, originals: undefined, findings: undefined },
    quotaReserve: 0.1,
    maxRuns: 4,
    hostTierRuns: {},
    tierRuns: { small: 16, medium: 12, large: 8, xlarge: 4, xxlarge: 2, xxxlarge: 1 },
    organisationRuns: 4,
    assistantOrigins: [],
    clientDocuments: false,
    administratorSecondStep: true,
    smtpUrl: undefined,
    mailFrom: 'storeferry@localhost',
    logLevel: 'info',
  })
})

test('S10: trusted proxies are addresses and networks; anything else is refused', () => {
  const read = (value: string) => readConfig({ TRUSTED_PROXIES: value }).trustedProxies
  expect(read('10.0.0.5, 10.1.0.0/16,fd00::/8')).toEqual(['10.0.0.5', '10.1.0.0/16', 'fd00::/8'])
  expect(read('none')).toEqual([])
  for (const wrong of ['loopback', '10.0.0.0/33', '::1/129', '10.0.0.5,', '*', '10.0.0.0/8/8', 'true'])
    expect(() => read(wrong)).toThrow(/^TRUSTED_PROXIES is /)
})

test('S12: OpenSearch is reached by https with a password, and without both only on this machine', () => {
  const read = (value: string, more = {}) => readConfig({ OPENSEARCH_URL: value, ...more }).openSearch
  expect(readConfig({}).openSearch).toBeUndefined()
  for (const [given, url] of [
    ['http://localhost:9200/', 'http://localhost:9200'],
    ['https://127.0.0.1:9200', 'https://127.0.0.1:9200'],
    ['https://ferry:s%2Fecret@search.agency.example/path/', 'https://ferry:s%2Fecret@search.agency.example/path'],
  ] as const)
    expect(read(given)).toEqual({ url, prefix: 'storeferry' })
  expect(read('http://localhost:9200', { OPENSEARCH_INDEX: 'ferry-2' })?.prefix).toBe('ferry-2')
  for (const wrong of [
    'http://ferry:planted@search.agency.example',
    'https://search.agency.example',
    'https://ferry@search.agency.example',
    'https://ferry:planted@search.agency.example?pretty',
    'search.agency.example:9200',
  ]) {
    expect(() => read(wrong)).toThrow(/^OPENSEARCH_URL: give it as https:/)
    expect(() => read(wrong)).not.toThrow(/planted/)
  }
  for (const wrong of ['Ferry', '-ferry', 'a b', 'ferry*', '../x'])
    expect(() => readConfig({ OPENSEARCH_INDEX: wrong })).toThrow(/^OPENSEARCH_INDEX is /)
})

test('S8: old keys are separated by commas, and a wrong one is refused without being quoted', () => {
  const [hex, base64] = ['ab'.repeat(32), Buffer.alloc(32, 5).toString('base64')]
  expect(readConfig({}).oldKeys).toEqual([])
  expect(readConfig({ STOREFERRY_OLD_KEYS: 'none' }).oldKeys).toEqual([])
  expect(readConfig({ STOREFERRY_OLD_KEYS: `${hex}, ${base64}` }).oldKeys).toEqual([hex, base64])
  for (const wrong of ['planted', `${hex},`, `${hex}${hex}`, `${hex},planted`]) {
    const refusal = () => readConfig({ STOREFERRY_OLD_KEYS: wrong })
    expect(refusal).toThrow(/^STOREFERRY_OLD_KEYS: give keys in base64 or hex, separated by commas, or none\.$/)
  }
})

test('S13: a mail server is named by smtp or smtps alone, without options that could weaken the connection', () => {
  const read = (value: string) => readConfig({ SMTP_URL: value }).smtpUrl
  for (const right of [
    'smtp://127.0.0.1:25',
    'smtps://me%40shop.example:s%2Fecret@mail.shop.example',
    'smtp://[::1]:25/',
  ])
    expect(read(right)).toBe(right)
  for (const wrong of [
    'mail.example',
    'http://mail.example',
    'smtp://mail.example?ignoreTLS=true',
    'smtp://',
    'smtp://a/b',
  ])
    expect(() => read(wrong)).toThrow(/^SMTP_URL: give it as smtp:/)
  expect(readConfig({ STOREFERRY_URL: 'https://ferry.example' }).mailFrom).toBe('storeferry@ferry.example')
})

test('a user or password whose signs are not encoded is refused with the remedy, and not quoted', () => {
  expect(() => readConfig({ SMTP_URL: 'smtp://me:100%planted@mail.shop.example' })).toThrow(
    /^SMTP_URL: give it as smtp:.*with %-encoded signs\.$/,
  )
  expect(() => readConfig({ OPENSEARCH_URL: 'https://me:100%planted@search.shop.example' })).toThrow(
    /^OPENSEARCH_URL: give it as https:.*with %-encoded signs\.$/,
  )
})

test('A6: by default a host gives its runs a share of the memory', () => {
  expect(readConfig({}).runMemoryMiB).toBeGreaterThan(0)
  expect(readConfig({}).runMemoryMiB).toBeLessThan(totalmem() / 1024 / 1024)
  expect(readConfig({ STOREFERRY_RUN_MEMORY_MIB: '2048' }).runMemoryMiB).toBe(2048)
})

test('A1: caps of tiers are given by name', () => {
  const { hostTierRuns, tierRuns } = readConfig({
    STOREFERRY_HOST_TIERS: 'large=2, xxxlarge=0',
    STOREFERRY_TIERS: 'none',
  })
  expect({ hostTierRuns, tierRuns }).toEqual({ hostTierRuns: { large: 2, xxxlarge: 0 }, tierRuns: {} })
})

test('A1: a tier that is not named keeps its cap for all hosts together', () => {
  const { tierRuns } = readConfig({ STOREFERRY_TIERS: 'large=2, small=20' })
  expect(tierRuns).toEqual({ ...readConfig({}).tierRuns, large: 2, small: 20 })
})

test('the default site address follows the port', () => {
  expect(readConfig({ PORT: '4100' }).siteUrl).toBe('http://localhost:4100')
  expect(readConfig({ PORT: '4100', STOREFERRY_URL: 'https://ferry.example/' }).siteUrl).toBe('https://ferry.example')
})

test('an empty variable counts as absent', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 4000, databaseUrl: undefined })
})

test('where the default is none, none may be written, as the docs show it', () => {
  const none = Object.entries(settings).flatMap(([name, { fallback }]) => (fallback === 'none' ? [[name, 'none']] : []))
  expect(none.map(([name]) => name)).toEqual(
    expect.arrayContaining(['STOREFERRY_RECORD', 'SMTP_URL', 'OPENSEARCH_URL']),
  )
  expect(readConfig(Object.fromEntries(none))).toEqual(readConfig({}))
})

test('the data directory honours XDG_DATA_HOME and STOREFERRY_DATA', () => {
  expect(readConfig({ XDG_DATA_HOME: '/data' }).dataDirectory).toBe('/data/storeferry')
  expect(readConfig({ XDG_DATA_HOME: '/data', STOREFERRY_DATA: '/srv/ferry' }).dataDirectory).toBe('/srv/ferry')
})

test.each([
  'https://ferry.example',
  'http://localhost:4000',
  'http://127.0.0.1:8080',
])('STOREFERRY_URL may be %s', (url) => {
  expect(readConfig({ STOREFERRY_URL: url }).siteUrl).toBe(url)
})

test.each([
  'http://ferry.example',
  'http://localhost.ferry.example',
  'ftp://localhost',
  'https://ferry.example/app',
  'https://user@ferry.example',
  'ferry.example',
])('S13: STOREFERRY_URL may not be %s', (url) => {
  expect(() => readConfig({ STOREFERRY_URL: url })).toThrow(/^STOREFERRY_URL is ".*": give the address of the service/)
})

test.each([
  // With any free port, no one could know the address.
  ['PORT', '0', 'PORT is "0": give a whole number from 1 to 65535.'],
  ['PORT', '65536', 'PORT is "65536": give a whole number from 1 to 65535.'],
  ['PORT', '4e3', 'PORT is "4e3": give a whole number from 1 to 65535.'],
  ['STOREFERRY_QUOTA_RESERVE', '0.91', 'STOREFERRY_QUOTA_RESERVE is "0.91": give a number from 0 to 0.9.'],
  ['STOREFERRY_MAX_RUNS', '0', 'STOREFERRY_MAX_RUNS is "0": give a whole number from 1 to 1000.'],
  ['HOST', '0.0.0.0:4000', 'HOST is "0.0.0.0:4000": give a host name or an IP address without a port.'],
  ['STOREFERRY_TIERS', 'huge=1', 'STOREFERRY_TIERS is "huge=1": give tiers and numbers as large=2,xlarge=1, or none;'],
  ['STOREFERRY_HOST_TIERS', 'large', 'STOREFERRY_HOST_TIERS is "large": give tiers and numbers as large=2,xlarge=1,'],
  ['HOST', 'http://x', 'HOST is "http://x": give a host name or an IP address without a port.'],
  ['STOREFERRY_METRICS_PORT', '0', 'STOREFERRY_METRICS_PORT is "0": give a whole number from 1 to 65535.'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL is "loud": give one of fatal, error, warn, info, debug, trace, silent.'],
])('%s=%s is refused with what to give instead', (name, value, message) => {
  expect(() => readConfig({ [name]: value })).toThrow(message)
})

test('S29: metrics are off by default, and on this machine alone unless an address is given', () => {
  expect(readConfig({}).metrics).toBeUndefined()
  expect(readConfig({ STOREFERRY_METRICS_PORT: 'none', STOREFERRY_METRICS_HOST: '::' }).metrics).toBeUndefined()
  expect(readConfig({ STOREFERRY_METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
  const everywhere = { STOREFERRY_METRICS_PORT: '9464', STOREFERRY_METRICS_HOST: '0.0.0.0' }
  expect(readConfig(everywhere).metrics).toEqual({ host: '0.0.0.0', port: 9464 })
})

test('S22: traces are off by default, and go to the collector encrypted unless it is on this machine', () => {
  const read = (url: string, headers = '') =>
    readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: headers }).tracing
  expect(readConfig({}).tracing).toBeUndefined()
  expect(readConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=planted' }).tracing).toBeUndefined()
  expect(read('http://localhost:4318/')).toEqual({ url: 'http://localhost:4318', headers: {} })
  const headers = 'Authorization=Bearer%20pl%2Fanted=, x-tenant=agency'
  expect(read('https://otlp.agency.example/otlp', headers)).toEqual({
    url: 'https://otlp.agency.example/otlp',
    headers: { authorization: 'Bearer pl/anted=', 'x-tenant': 'agency' },
  })
  for (const wrong of ['http://collector:4318', 'https://me:planted@otlp.agency.example', 'localhost:4318'])
    expect(() => read(wrong)).toThrow(/^OTEL_EXPORTER_OTLP_ENDPOINT: give the collector of traces as https:[^@]*$/)
  for (const wrong of [
    'planted',
    '=planted',
    'a=planted,',
    'a b=planted',
    'a=%0Aplanted',
    'a=%ffplanted',
    'a=pl anted',
  ]) {
    const refusal = () => read('http://localhost:4318', wrong)
    expect(refusal).toThrow(/^OTEL_EXPORTER_OTLP_HEADERS: give it as name=value,name=value, with %-encoded signs\.$/)
  }
})

test('S1: an app has an id and a secret, or there is none; the platform’s address may be that of a sandbox', () => {
  const [STOREFERRY_APP_CLIENT_ID, STOREFERRY_APP_CLIENT_SECRET] = ['client1', 'planted']
  expect(readConfig({}).app).toBeUndefined()
  expect(readConfig({ STOREFERRY_APP_CLIENT_ID, STOREFERRY_APP_CLIENT_SECRET }).app).toEqual({
    clientId: 'client1',
    clientSecret: 'planted',
    loginUrl: 'https://login.bigcommerce.com',
  })
  const sandbox = {
    STOREFERRY_APP_CLIENT_ID,
    STOREFERRY_APP_CLIENT_SECRET,
    BIGCOMMERCE_LOGIN_URL: 'http://127.0.0.1:9/',
  }
  expect(readConfig(sandbox).app?.loginUrl).toBe('http://127.0.0.1:9')
  expect(() => readConfig({ STOREFERRY_APP_CLIENT_ID })).toThrow(
    /^STOREFERRY_APP_CLIENT_SECRET: give the client secret/,
  )
  expect(() => readConfig({ STOREFERRY_APP_CLIENT_SECRET })).toThrow(/^STOREFERRY_APP_CLIENT_ID: give the client id/)
  expect(() => readConfig({ ...sandbox, BIGCOMMERCE_LOGIN_URL: 'http://login.example' })).toThrow(
    /^BIGCOMMERCE_LOGIN_URL/,
  )
  expect(() => readConfig({ ...sandbox, STOREFERRY_APP_CLIENT_SECRET: 'plant ed' })).toThrow(
    /^STOREFERRY_APP_CLIENT_SECRET: give it as the app profile shows it, without spaces\.$/m,
  )
})

test('all wrong variables are named in one message', () => {
  expect(() => readConfig({ PORT: 'x', LOG_LEVEL: 'x' })).toThrow(/PORT is "x".*\nLOG_LEVEL is "x"/)
})

test('S22: the message about a wrong secret does not quote it', () => {
  expect.assertions(6)
  for (const name of ['STOREFERRY_KEY', 'DATABASE_URL', 'SMTP_URL'])
    try {
      readConfig({ [name]: 'hunter2://planted' })
    } catch (error) {
      expect(String(error)).toContain(name)
      expect(String(error)).not.toContain('planted')
    }
})

test('docs/settings.md lists every setting with its default and meaning, and nothing else', async () => {
  const docs = await readFile(new URL('../docs/settings.md', import.meta.url), 'utf8')
  const rows = docs.split('\n').filter((line) => line.startsWith('| `'))
  expect(rows).toEqual(
    Object.entries(settings).map(([name, setting]) => `| \`${name}\` | ${setting.fallback} | ${setting.about} |`),
  )
})

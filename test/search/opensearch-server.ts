import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { freePort } from '../../src/db/postgres/free-port.ts'
import { analysis, version, zip } from '../harness/opensearch-files.ts'
import { until } from '../harness/until.ts'

export interface OpenSearchServer {
  url: string
  version: string
  /** These two only for a server that the tests have started. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Part of the titles of tests that stop the server; undefined where they can. */
export const notOurs = process.env.OPENSEARCH_URL && ' (not with the server of OPENSEARCH_URL)'

function givenServer(url: string, version: string): OpenSearchServer {
  const refuse = () => {
    throw new Error('This server was not started by the tests.')
  }
  return { url, version, signal: refuse, restart: refuse, stop: async () => {} }
}

/** The server of OPENSEARCH_URL, or one of this test, which ends with this process. */
export async function startOpenSearch(): Promise<OpenSearchServer> {
  const given = process.env.OPENSEARCH_URL
  if (given) return givenServer(given, (await versionOf(given)) ?? '')
  const directory = extract()
  const url = `http://127.0.0.1:${await configure(directory)}`
  let server = await run(directory, url)
  return {
    url,
    version: (await versionOf(url)) ?? '',
    signal: (signal) => process.kill(server.pid, signal),
    async restart() {
      await server.end()
      server = await run(directory, url)
    },
    async stop() {
      await server.end()
      execFileSync('rm', ['-rf', directory])
    },
  }
}

function extract(): string {
  const directory = mkdtempSync(join(tmpdir(), 'storeferry-opensearch-'))
  chmodSync(directory, 0o755)
  for (const [name, content] of Object.entries(unzipSync(readFileSync(zip)))) {
    const path = join(directory, name.slice(name.indexOf('/') + 1))
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true })
    if (!name.endsWith('/')) writeFileSync(path, content, { mode: path.includes('/bin/') ? 0o755 : 0o644 })
  }
  addModule(join(directory, 'modules/analysis-common'))
  return directory
}

function addModule(directory: string): void {
  mkdirSync(directory)
  copyFileSync(analysis, join(directory, basename(analysis)))
  const descriptor = {
    ...{ name: 'analysis-common', description: 'Analyzers', version, 'opensearch.version': version },
    ...{ 'java.version': '11', classname: 'org.opensearch.analysis.common.CommonAnalysisPlugin' },
  }
  const lines = Object.entries(descriptor).map(([key, value]) => `${key}=${value}`)
  writeFileSync(join(directory, 'plugin-descriptor.properties'), lines.join('\n'))
}

async function configure(directory: string): Promise<number> {
  const [http, transport] = [await freePort(), await freePort()]
  const settings = {
    'discovery.type': 'single-node',
    'http.port': http,
    'transport.port': transport,
    'cluster.routing.allocation.disk.threshold_enabled': false,
  }
  writeFileSync(join(directory, 'config/opensearch.yml'), JSON.stringify(settings))
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', '65534:65534', directory])
  return http
}

async function run(directory: string, url: string) {
  const java = execFileSync('sh', ['-c', 'readlink -f "$(command -v java)"'], { encoding: 'utf8' }).trim()
  const child = spawn('sh', ['-c', 'bin/opensearch >logs/start 2>&1 & echo $!; read gone; kill -9 $!; wait'], {
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      OPENSEARCH_JAVA_HOME: dirname(dirname(java)),
      OPENSEARCH_JAVA_OPTS: '-Xms512m -Xmx512m',
    },
    // It refuses to run as root.
    ...(process.getuid?.() === 0 && { uid: 65534, gid: 65534 }),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const pid = await new Promise<number>((resolve) => child.stdout.once('data', (line) => resolve(Number(line))))
  await until('OpenSearch answers', async () => (await versionOf(url)) !== undefined, { seconds: 120 })
  return {
    pid,
    async end() {
      child.stdin.destroy()
      await ended
    },
  }
}

async function versionOf(url: string): Promise<string | undefined> {
  const { href, username, password } = new URL(url)
  const address = href.replace(`${username}:${password}@`, '')
  const authorization = `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
  const answer = await fetch(address, { headers: username ? { authorization } : {} }).catch(() => undefined)
  if (!answer?.ok) return undefined
  return ((await answer.json()) as { version: { number: string } }).version.number
}

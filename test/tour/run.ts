import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { demoConfig } from '../../cli/demo/demo-config.ts'
import { startDemoSandbox } from '../../cli/demo/demo-sandbox.ts'
import { freePort, removeEmbeddedPostgres, startApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { openStudio } from './studio.ts'
import { merchantStory, peopleOfTheTour, platformStory } from './tour-story.ts'

/** `npm run tour`: goes through the running portal as docs/tour.md does, and takes its pictures anew. */
const executablePath = findChromium()
if (!executablePath) throw new Error(`The tour is taken ${chromiumMissing}.`)

await using ending = new AsyncDisposableStack()
const directory = await mkdtemp(join(tmpdir(), 'storeferry-tour-'))
ending.defer(() => rm(directory, { recursive: true, force: true }))
ending.defer(() => removeEmbeddedPostgres(directory))
// Slow enough for a picture of a copy under way.
const sandbox = await startDemoSandbox({ size: 'tiny', plan: 'unlimited', latencyMs: 100 })
ending.defer(() => sandbox.stop())
const settings = { environment: {}, config: () => readConfig({}) }
const config = demoConfig(settings, { directory, apiUrl: sandbox.url, port: await freePort() })
const log = createLog({ level: 'warn', role: 'demo', destination: process.stderr })
const app = await startApp({ roles: ['server', 'worker'], config, log, buildPortal: true })
ending.defer(() => app.stop())
const people = await peopleOfTheTour(app.administration)
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
ending.defer(() => browser.close())

const studio = await openStudio(browser, app.url)
await merchantStory(studio, people, sandbox)
await platformStory(studio, people)
process.stdout.write(`${studio.taken()}\n`)

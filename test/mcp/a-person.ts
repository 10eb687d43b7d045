import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { type Browser, chromium, type Page } from 'playwright-core'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { findChromium } from '../harness/chromium.ts'
import type { World } from '../harness/world.ts'

export interface Person {
  /** Where an assistant of this machine waits for its code. */
  redirectUri: string
  /** Goes where the assistant sends them, signs in where they are asked to, and clicks Allow; @returns what came back to it. */
  allow(address: URL): Promise<URLSearchParams>
  /** The same for an assistant that waits somewhere else. */
  visit(address: URL): Promise<void>
  /** The list of connected assistants, as text. */
  assistants(): Promise<string>
  disconnectAll(): Promise<void>
  leave(): Promise<void>
}

/** The owner of a world before a real Chromium, and an assistant's own server on loopback beside it. */
export async function startPerson({ database, url }: World): Promise<Person> {
  const password = 'a password long enough'
  const { rows } = await sql<{ email: string }>`
    update users set password_hash = ${await hashPassword(password)} where last_name = 'World' returning email`.execute(
    database,
  )
  const email = rows[0]?.email ?? ''
  const waiting: ((came: URLSearchParams) => void)[] = []
  const assistant = createServer((request, response) => {
    const came = new URL(request.url ?? '', 'http://127.0.0.1')
    response.end('Back at the assistant.')
    if (came.pathname === '/callback') waiting.shift()?.(came.searchParams)
  })
  await new Promise<void>((resolve) => assistant.listen(0, '127.0.0.1', resolve))
  const { port } = assistant.address() as AddressInfo
  const browser: Browser = await chromium.launch({
    executablePath: findChromium(),
    // Tests run as root in containers, where Chromium has no sandbox of its own.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    timeout: 120_000,
  })
  const context = await browser.newContext()
  context.setDefaultTimeout(60_000)
  // A tab for each visit: the way back to the assistant would interrupt the next one.
  async function open(address: string): Promise<Page> {
    const page = await context.newPage()
    await page.goto(address)
    return page
  }
  async function visit(address: URL): Promise<void> {
    const page = await open(address.href)
    if (page.url().includes('/app/sign-in')) {
      await page.fill('#email', email)
      await page.fill('#password', password)
      await page.click('button[type=submit]')
    }
    await page.click('button[value=allow]')
  }
  return {
    visit,
    redirectUri: `http://127.0.0.1:${port}/callback`,
    async allow(address) {
      const { promise, resolve } = Promise.withResolvers<URLSearchParams>()
      waiting.push(resolve)
      await visit(address)
      return promise
    },
    async assistants() {
      const page = await open(`${url}/v2/assistants`)
      return page.innerText('body')
    },
    async disconnectAll() {
      const page = await open(`${url}/v2/assistants`)
      await page.evaluate(`fetch('/v2/assistants')
        .then((answer) => answer.json())
        .then(({ items }) => Promise.all(items.map(({ id }) => fetch('/v2/assistants/' + id, { method: 'DELETE' }))))`)
    },
    async leave() {
      await browser.close()
      assistant.closeAllConnections()
      await new Promise((resolve) => assistant.close(resolve))
    },
  }
}

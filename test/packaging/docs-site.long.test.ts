import { execFile } from 'node:child_process'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { aTab, expectSound, startBrowser } from '../portal/a-tab.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
let site: string
beforeAll(async () => {
  site = await mkdtemp(join(tmpdir(), 'storeferry-docs-'))
  // Fails with the name of the page and the link if a page links to one that does not exist.
  const build = join(project, 'node_modules/vitepress/bin/vitepress.js')
  await promisify(execFile)(process.execPath, [build, 'build', 'docs', '--outDir', site], { cwd: project })
}, 600_000)
afterAll(() => rm(site, { recursive: true, force: true }))

async function htmlPages(): Promise<string[]> {
  const found: string[] = []
  for await (const path of glob('**/*.html', { cwd: site })) found.push(path)
  return found.sort()
}

const read = (path: string) => readFile(join(site, path), 'utf8')

test('the site has a page for every document, and its navigation leads to each of them', async () => {
  const documents: string[] = []
  for await (const path of glob('**/*.md', { cwd: join(project, 'docs') })) documents.push(path)
  const expected = documents.map((path) => path.replace('README', 'index').replace(/md$/, 'html'))
  const pages = await htmlPages()
  expect(pages).toEqual([...expected, '404.html'].sort())
  const navigation = await read('glossary.html')
  const linked = [...navigation.matchAll(/href="\/([^"#]*)"/g)].map(([, path = '']) =>
    path.replace(/(^|\/)$/, '$1index.html'),
  )
  expect(pages.filter((path) => path !== '404.html' && !linked.includes(path))).toEqual([])
})

test('every link of the site leads to a page or a file of it, and to a title that is there', async () => {
  const pages = new Map<string, string>()
  for (const path of await htmlPages()) pages.set(path, await read(path))
  const faults: string[] = []
  for (const [page, html] of pages)
    for (const [, link = ''] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const url = new URL(link, `http://site/${page}`)
      if (url.host !== 'site') continue
      const target = decodeURIComponent(url.pathname)
        .slice(1)
        .replace(/(^|\/)$/, '$1index.html')
      const there = pages.get(target)
      const anchor = decodeURIComponent(url.hash.slice(1))
      if (there === undefined) faults.push(`${page}: ${link}`)
      else if (anchor && !there.includes(`id="${anchor}"`)) faults.push(`${page}: ${link}`)
    }
  expect(faults).toEqual([])
})

test('placeholders in angle brackets are shown', async () => {
  expect(await read('settings.html')).toContain('http://localhost:&lt;PORT&gt;')
  expect(await read('accounts.html')).not.toContain('UPDATE_DOCS')
})

describe.skipIf(!findChromium())(findChromium() ? 'in a browser' : chromiumMissing, () => {
  let server: Server
  let browser: Browser
  let url: string
  const elsewhere: string[] = []
  beforeAll(async () => {
    server = createServer(async ({ url: asked = '/' }, response) => {
      const path = decodeURIComponent(new URL(asked, 'http://site').pathname).replace(/\/$/, '/index.html')
      const content = await readFile(join(site, path)).catch(() => undefined)
      response.writeHead(content ? 200 : 404, { 'Content-Type': types[extname(path)] ?? 'application/octet-stream' })
      response.end(content)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await startBrowser()
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  const types: Record<string, string> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.json': 'application/json',
    '.woff2': 'font/woff2',
    '.webp': 'image/webp',
    '.svg': 'image/svg+xml',
  }

  async function open(path: string) {
    const tab = await aTab(browser, url)
    tab.page.on('request', (request) => {
      if (!request.url().startsWith(url)) elsewhere.push(request.url())
    })
    await tab.page.goto(`${url}/${path}`)
    await tab.page.getByRole('heading', { level: 1 }).first().waitFor()
    return tab
  }

  test.each([
    ['index.html', 'home'],
    ['quick-start.html', 'a short page'],
    ['commands.html', 'a page with tables'],
    ['hosting.html', 'a page with code'],
    ['tour.html', 'a page with pictures'],
    ['errors.html', 'a long page'],
  ])('%s, %s, fits a phone, a tablet and a desktop, and is accessible', async (path) => {
    const tab = await open(path)
    await expectSound(tab, `docs-${path}`)
    await tab.close()
    expect(elsewhere).toEqual([])
  })

  test('a search finds a page by a word of it, without asking anybody else', async () => {
    const tab = await open('index.html')
    await tab.page.getByRole('button', { name: 'Search' }).first().click()
    await tab.page.getByRole('searchbox').fill('TRUSTED_PROXIES')
    await tab.page.locator('.VPLocalSearchBox .result').first().waitFor()
    const results = await tab.page.locator('.VPLocalSearchBox .result').allInnerTexts()
    expect(results.join('\n')).toContain('Settings')
    await tab.close()
    expect(elsewhere).toEqual([])
  })
})

import { mkdir } from 'node:fs/promises'
import AxeBuilder from '@axe-core/playwright'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { ensurePortal } from '../../src/api/portal-build.ts'
import { findChromium } from '../harness/chromium.ts'
import { isLong } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'

/** Builds the portal when its sources changed, as a service does when it starts. */
export async function builtPortal(): Promise<void> {
  const complaints: string[] = []
  const log = { info: () => undefined, warn: (message: string) => complaints.push(message) }
  const build = ensurePortal(log, new AbortController().signal)
  // A second or two by itself; beside other suites on a small machine it took more than a minute.
  await until('the portal is built', () => build.state() === 'settled', { seconds: 240, seen: () => complaints })
  expect(complaints).toEqual([])
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    // Tests run as root in containers, where Chromium has no sandbox of its own.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    timeout: 120_000,
  })
}

export interface Tab {
  page: Page
  /** What the console and the content policy had to say since the tab was opened. */
  complaints: string[]
  close(): Promise<void>
}

interface TabOptions {
  /** The `Cookie` header of a session. */
  cookie?: string | undefined
  /** Failing answers that the story is about: Chromium reports each of them on the console. */
  expected?: RegExp
}

/** A browser context of its own, with one session at most. */
export async function aTab(browser: Browser, url: string, { cookie, expected }: TabOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
  context.setDefaultTimeout(30_000)
  if (cookie !== undefined) {
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: url.replace('http:', 'https:'), secure: true, httpOnly: true }])
  }
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    const text = `${message.text()} ${message.location().url}`
    if (['error', 'warning'].includes(message.type()) && !expected?.test(text)) complaints.push(text)
  })
  return { page, complaints, close: () => context.close() }
}

export const widths = [360, 768, 1440]

/** The layout between them is that of either. In the short form, `walk.test.ts` alone looks, at every address. */
const accessibleAt = isLong ? [360, 1440] : []
/** Slow, and the colors are those of the widest. */
const sameAtEachWidth = ['color-contrast']

/** What every screen has to be in every state: accessible, quiet on the console, and no wider than the window. */
export async function expectSound({ page, complaints }: Tab, name: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    expect(await overflowOf(page), `${name} scrolls sideways at ${width}`).toBe(0)
    await keepPicture(page, `${name}-${width}`)
    if (!accessibleAt.includes(width)) continue
    await untilStill(page)
    expect(await accessibilityOf(page, width === 360 ? sameAtEachWidth : []), `${name} at ${width}`).toEqual([])
  }
  expect(complaints, `console of ${name}`).toEqual([])
}

/** Colors that fade in have little contrast on the way. */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished))`)
}

/** How far it scrolls sideways. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** What is not accessible. Without frames, nothing needs a page of its own to join their results. */
export async function accessibilityOf(page: Page, withoutRules: string[] = []): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).disableRules(withoutRules).analyze()
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ html }) => html)
        .join(' ')
        .slice(0, 500)}`,
  )
}

/** For review by eye, where STOREFERRY_PICTURES names a folder. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const { STOREFERRY_PICTURES: folder } = process.env
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name.replaceAll(/\W+/g, '-')}.png`, fullPage: true })
}

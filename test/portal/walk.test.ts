import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorStatuses } from '../../src/contract/service-error.ts'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { isLong } from '../harness/long-form.ts'
import { type Person, type Portal, startPortal } from './a-portal.ts'
import { accessibilityOf, keepPicture, overflowOf, startBrowser, type Tab } from './a-tab.ts'
import { applicationAddresses, askingAddresses, serverAddresses } from './addresses.ts'
import { type AwkwardMigrations, appearTwice, awkwardNames, makeAwkward } from './awkward-shop.ts'
import { engineWordsOn } from './engine-words.ts'

/** The narrowest, the first of each layout, and a wide one. */
const looked = isLong ? [320, 720, 1026, 1280, 1440] : [320, 1026, 1440]
/** The long form takes three minutes on a quiet machine. */
const timeout = isLong ? 900_000 : 300_000

describe.skipIf(!findChromium())(findChromium() ? 'every address, with awkward data' : chromiumMissing, () => {
  let browser: Browser
  let portal: Portal
  let person: Person
  let migrations: AwkwardMigrations
  beforeAll(async () => {
    browser = await startBrowser()
    portal = await startPortal({ entities: ['categories', 'brands'] }, browser)
    person = await portal.person({ role: 'owner', administrator: true })
    migrations = await makeAwkward(portal.world)
    await appearTwice(portal.world, person)
  }, 300_000)
  afterAll(async () => {
    await portal?.stop()
    await browser?.close()
  })

  /** What stands for a part of an address that differs. */
  function filled(address: string): string[] {
    const { organisationId, address: storeOf } = portal.world
    if (!address.includes('$')) return [address]
    const [, area, place] = address.split('/')
    const ids: Record<string, string[]> = {
      'app/migrations': isLong || !/\$id\/./.test(address) ? Object.values(migrations) : [shownBy(address)],
      'admin/migrations': [migrations.copy],
      'admin/organizations': [organisationId],
      'app/stores': [storeOf('source').hash],
    }
    const first = ids[`${area}/${place}`]
    if (!first) throw new Error(`Say in walk.test.ts what stands in ${address}.`)
    return first.map((id) => address.replace(/\$\w+/, id).replace(/\$\w+/, 'brands'))
  }

  function shownBy(address: string): string {
    if (address.endsWith('/differences')) return migrations.comparison
    return /deletion|change/.test(address) ? migrations.deleting : migrations.copy
  }

  async function everyAddress(): Promise<string[]> {
    return [...(await applicationAddresses()).flatMap(filled), ...serverAddresses()]
  }

  test(
    `fits at ${looked.join(', ')} pixels and with text of twice the size on a phone, cuts nothing off, is accessible${isLong ? ' also in forced colors' : ''}, interprets no markup, speaks plainly and is quiet`,
    async () => {
      const tab = await portal.tab(person)
      const faults: Record<string, string[]> = {}
      for (const address of await everyAddress()) {
        const found = await look(tab, address)
        if (found.length > 0) faults[address] = found
      }
      await tab.close()
      expect(faults).toEqual({})
    },
    timeout,
  )

  async function look(tab: Tab, address: string): Promise<string[]> {
    const { page, complaints } = tab
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${portal.world.url}${address}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    const faults = [
      ...(await broken(page)),
      ...(await accessibilityOf(page)),
      ...(await markup(page)),
      ...(await engineWordsOn(page)),
    ]
    await page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true })")
    for (const width of looked) {
      await page.setViewportSize({ width, height: 900 })
      if (isLong) faults.push(...(await inForcedColors(page)), ...(await accessibilityOf(page)))
      await keepPicture(page, `walk${address}-${width}`)
      faults.push(...(await overflowAt(page, width)))
    }
    await page.setViewportSize({ width: 390, height: 844 })
    faults.push(...(await alikeOn(page)), ...(await page.evaluate<string[]>(currentElsewhere)))
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    await keepPicture(page, `walk${address}-large-text`)
    faults.push(...(await overflowAt(page, 390)).map((fault) => `with large text ${fault}`))
    return [...faults, ...complaints.splice(0)]
  }

  if (isLong)
    test.each([
      ['internal_error', 'Something broke on our side'],
      ['store_migration_disabled', 'Store Migration is off'],
      ['forbidden', 'Not allowed'],
      ['not_found', 'Not found'],
      ['platform_error', 'BigCommerce refused'],
    ] as const)(
      'every screen that asks the service says in words that it was answered %s, and the rail stays',
      async (code, title) => {
        const httpStatus = errorStatuses[code]
        const tab = await portal.tab(person, new RegExp(String(httpStatus)))
        const { page } = tab
        const body = JSON.stringify({ error: code, message: 'BigCommerce answered 401: its token no longer works.' })
        await page.route(/\/(v2|admin\/api)\/(?!session$)/, (route) =>
          route.fulfill({ status: httpStatus, contentType: 'application/json', body }),
        )
        const faults: Record<string, string[]> = {}
        for (const address of (await askingAddresses()).flatMap(filled)) {
          await page.setViewportSize({ width: 360, height: 900 })
          await page.goto(`${portal.world.url}${address}`)
          await page.getByRole('heading', { level: 1, name: title }).waitFor()
          const found = [
            ...(await accessibilityOf(page)),
            ...(await engineWordsOn(page)),
            ...(await overflowAt(page, 360)),
          ]
          if ((await page.getByRole('button', { name: 'Menu' }).count()) === 0) found.push('has no rail')
          if (found.length + tab.complaints.length > 0) faults[address] = [...found, ...tab.complaints.splice(0)]
        }
        expect(faults).toEqual({})
        await tab.close()
      },
      timeout,
    )
})

async function inForcedColors(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' })
  // Chromium says which colors it forces for all but the fill of text, which axe looks at.
  const faults = await accessibilityOf(page, ['color-contrast'])
  await page.emulateMedia({ forcedColors: null })
  return faults.map((fault) => `in forced colors ${fault}`)
}

async function broken(page: Page): Promise<string[]> {
  const titles = await page.getByRole('heading', { level: 1 }).allInnerTexts()
  const isBroken = titles.length > 1 || /^(Something broke|Not found|Page not found|Not allowed)/.test(titles[0] ?? '')
  return isBroken ? [`shows ${titles.join(' and ')}`] : []
}

async function overflowAt(page: Page, width: number): Promise<string[]> {
  const found = (await page.evaluate<string[]>(cut)).map((one) => `cuts off at ${width}: ${one}`)
  if ((await overflowOf(page)) !== 0) found.push(`scrolls sideways at ${width}: ${await page.evaluate(widest)}`)
  return found
}

/** Boxes with more in them than they show from left to right; fields scroll with what is typed. */
const cut = `[...document.querySelectorAll('main *:not(.unseen, .unseen *, input, select, textarea)')]
  .filter((one) => getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.outerHTML.slice(0, 300))`

/** The innermost element that is beyond the window. */
const widest = `[...document.querySelectorAll('main *')]
  .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth)
  .at(-1)?.outerHTML.slice(0, 300)`

/** Links that a screen reader calls the current page and that lead to another one; those of the rail are of its part. */
const currentElsewhere = `[...document.querySelectorAll('a[aria-current="page"]:not(.rail nav a)')]
  .filter(({ pathname }) => pathname !== location.pathname)
  .map(({ textContent, pathname }) => 'calls ' + textContent + ', which leads to ' + pathname + ', the current page')`

/** Buttons and links that do different things under one name, as a person hears them who does not see their row. */
async function alikeOn(page: Page): Promise<string[]> {
  const lines = (await page.locator('main').ariaSnapshot()).split('\n').map((line) => line.trim())
  const buttons = lines.flatMap((line) => /^- '?button "(.*)"/.exec(line)?.[1] ?? [])
  const links = lines.flatMap((line, at) => {
    const name = /^- '?link "(.*)"/.exec(line)?.[1]
    const target = lines.slice(at + 1, at + 3).find((next) => next.startsWith('- /url: '))
    return name === undefined ? [] : `${name} ${target}`
  })
  const named = [...new Set(links)].map((link) => link.replace(/ - \/url: .*/, ''))
  const alike = (names: string[]) => names.filter((name, at) => names.indexOf(name) < at)
  return [
    ...alike(buttons).map((name) => `has two buttons ${name}`),
    ...alike(named).map((name) => `has two links ${name}`),
  ]
}

/** Elements that only a name could have brought. */
async function markup(page: Page): Promise<string[]> {
  const inserted = await page.evaluate('document.querySelectorAll("img[src=x], bdi b, bdi script").length')
  return inserted === 0 ? [] : [`interprets the markup of ${awkwardNames[0]}`]
}

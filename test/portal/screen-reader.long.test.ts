import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { until } from '../harness/until.ts'
import { withPortal } from './a-portal.ts'

describe.skipIf(!findChromium())(findChromium() ? 'a migration, as a screen reader reads it' : chromiumMissing, () => {
  const portal = withPortal({ entities: ['categories', 'brands'], requestTimeoutSeconds: 60 })

  test('what its page holds has roles and names, and what happens to it is announced once, in order', async () => {
    const { world } = portal
    const [brand] = (await world.state('source')).brands ?? []
    const refused = { kind: 'error_before_applying', status: 422, path: 'brands', times: null } as const
    await world.fault('destination', { ...refused, body: String(brand?.name) })
    await world.fault('destination', { kind: 'hold_after_applying', method: 'POST', path: 'categories', times: 1 })
    const id = await world.migrate({ label: 'Spring copy', autoHeal: false })
    await until('the copy is held', async () => (await world.faults('destination')).some(({ hits }) => hits > 0))
    const { page, close } = await portal.tab(await portal.person({ role: 'owner' }))
    await page.goto(`${world.url}/app/migrations/${id}`)
    await page.getByText('Working out how long it takes.').waitFor()
    expect(await readAloud(page)).toBe(whileCopying)
    expect(await page.getByRole('progressbar', { name: 'Copying' }).getAttribute('aria-valuenow')).toMatch(/^\d+$/)
    const why = page.getByRole('button', { name: 'Resume', description: 'Resume: It is running.' })
    expect(await why.getAttribute('aria-disabled')).toBe('true')
    await page.evaluate(listen)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Pause: It is being paused.').waitFor()
    // From then on no write starts (A7). Released earlier, so small a copy could end before it is paused.
    await sleep(1_000)
    await world.release('destination')
    await page.getByText('Pause: It is paused.').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('Done, needs review').first().waitFor()
    const { summaryLine } = await world.detail(id)
    const [pausing, paused, ...rest] = await heard(page)
    expect(pausing).toBe('Pausing after the present item.')
    expect(paused).toMatch(/^Paused at \d+%\.$/)
    expect(rest.at(-1)).toBe(summaryLine)
    expect(summaryLine).toMatch(/; 1 item needs review\.$/)
    for (const between of rest.slice(0, -1))
      expect(between).toMatch(/^(Waiting to (start|continue)\.|(Copying|Trying [^,]+), \d+% done)/)
    expect(new Set([pausing, paused, ...rest]).size).toBe(rest.length + 2)
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('heading', { level: 1, name: 'Comparison' }).waitFor()
    const focused = () => page.evaluate<string>('document.activeElement.tagName')
    await until('the title of the comparison has the focus', async () => (await focused()) === 'H1')
    await close()
  })

  test('what another search has found is announced once, and the first list is not', async () => {
    const { world } = portal
    for (const label of ['Winter copy', 'Winter sale']) await world.complete({ label, mode: 'counts' })
    const { requestId: id } = await world.complete({ label: 'Spring copy' })
    const { page, close } = await portal.tab(await portal.person({ role: 'owner', administrator: true }))
    const saidAfter = async (search: () => Promise<unknown>, words: string) => {
      await page.evaluate('window.heard.length = 0')
      await search()
      await until(`“${words}” is announced`, async () => (await heard(page)).length > 0)
      expect(await heard(page)).toEqual([words])
    }
    const listenAt = async (path: string, loaded: () => Locator) => {
      await page.goto(`${world.url}${path}`)
      await loaded().waitFor()
      await page.evaluate(listen)
    }
    const find = (text: string) => () => page.getByRole('searchbox').first().fill(text)
    await listenAt('/app/migrations', () => page.getByRole('link', { name: 'Winter copy' }))
    expect(await page.getByRole('status').allInnerTexts()).toEqual([''])
    await saidAfter(find('Winter'), '2 results.')
    await saidAfter(find('winter '), '2 results.')
    await saidAfter(find('Summer'), 'Nothing matches.')
    await listenAt(`/app/migrations/${id}/issues`, () => page.getByRole('searchbox'))
    await saidAfter(find('no issue says this'), 'Nothing matches.')
    const picked = page.getByLabel('Picked items')
    await listenAt(`/app/migrations/new?source=${world.address('source').hash}`, () => picked)
    await picked.check()
    await page.getByRole('group', { name: 'Products of the store' }).getByRole('checkbox').first().waitFor()
    await saidAfter(find('no product is called this'), 'Nothing matches.')
    const byName = page.getByRole('searchbox', { name: 'Find by name' })
    await listenAt('/admin/migrations/access', () => byName)
    await saidAfter(() => byName.fill('no organization is called this'), 'Nothing matches.')
    await close()
  })
})

describe.skipIf(!findChromium())(
  findChromium() ? 'a new migration, as a screen reader reads it' : chromiumMissing,
  () => {
    const portal = withPortal({ entities: ['brands'] })

    test('a choice has a short name and a description, and what follows from it is announced in a sentence, not as a list', async () => {
      const { world } = portal
      const { page, close } = await portal.tab(await portal.person({ role: 'owner' }))
      const [source, destination] = [world.address('source').hash, world.address('destination').hash]
      await page.goto(`${world.url}/app/migrations/new?source=${source}&destination=${destination}`)
      const check = page.getByRole('region', { name: '4. Check' })
      await check.getByText('Nothing stands in the way.').waitFor()
      const description = 'Pages built with widgets, chosen by the file of the theme.'
      await page.getByRole('radio', { name: 'Pages by template', exact: true, description }).waitFor()
      await page.evaluate(listen)
      await page.getByRole('radio', { name: 'Copy now', exact: true }).check()
      await page.getByText(/^for the copy, /).waitFor()
      await check.getByText('Only a trial run says exactly').waitFor()
      await until('the check is announced', async () => (await heard(page)).includes('Nothing stands in the way.'))
      const said = await heard(page)
      expect(said.filter((one) => one.length > 120)).toEqual([])
      expect(said.filter((one) => one.includes('stands in the way'))).toHaveLength(1)
      expect(said.filter((one) => one.includes('for the copy, '))).toHaveLength(1)
      await close()
    })
  },
)

/** The order of reading, with the role, the name and the state of each. */
const whileCopying = `
navigation "Breadcrumb":
  link "Migrations":
heading "Spring copy" [level=1]
text: Copying
paragraph: "Copy: source → destination"
region "Controls":
  button "Pause"
  button "Resume" [disabled]
  button "Cancel"
  button "Try failed items again" [disabled]
  button "Compare" [disabled]
  list:
    listitem: "Resume: It is running."
    listitem: "Try failed items again, Compare: Available when copying has ended."
status
region "Progress":
  paragraph: Copying, N% done.
  progressbar "Copying"
  text: N%
  paragraph: Working out how long it takes.
  list "Items":
    listitem: N copied
    listitem: N updated
    listitem: N already the same
    listitem: N left alone
    listitem: N deleted
    listitem: N need review
navigation "Parts of the migration":
  link "Overview":
  link "Issues":
  link "Differences":
  link "Changes":
  link "Item pairs":
  link "Activity":
  link "Settings":
region "Steps":
  heading "Steps" [level=2]
  group: Categories N of N under way
  group: Brands N of N waiting
`.trim()

/** Keeps what changes in the live regions of a page, as a screen reader would say it. */
const listen = `window.heard = []
new MutationObserver((changes) => {
  const live = '[role=status], [role=alert]'
  const regions = new Set(changes.flatMap(({ target, addedNodes }) => {
    const around = (target.nodeType === 1 ? target : target.parentElement)?.closest(live)
    const inside = [...addedNodes].flatMap((one) =>
      one.nodeType !== 1 ? [] : one.matches(live) ? [one] : [...one.querySelectorAll(live)])
    return [around, ...inside].filter(Boolean)
  }))
  for (const region of regions) if (region.textContent) window.heard.push(region.textContent)
}).observe(document, { subtree: true, childList: true, characterData: true })`

function heard(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('window.heard')
}

/** What is read of a migration down to its steps, without addresses, and with N for numbers. */
async function readAloud(page: Page): Promise<string> {
  const read = await page.getByRole('main').ariaSnapshot()
  return read
    .replaceAll(/\n +- \/url: .*/g, '')
    .replaceAll(/listitem:\n +- strong: "\d+"\n +- text: /g, 'listitem: N ')
    .replaceAll(/(?<=[ :])\d+(?=%| of | under)/g, 'N')
    .replaceAll(/(?<=of )\d+/g, 'N')
    .replaceAll(/^( *)- /gm, '$1')
    .replace(/^main:\n/, '')
    .replaceAll(/^ {2}/gm, '')
    .replace(/\nregion "About"[\s\S]*/, '')
}

import { describe, expect, test } from 'vitest'
import { callStore } from '../engine/call-store.ts'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { withPortal } from './a-portal.ts'
import { expectSound } from './a-tab.ts'

describe.skipIf(!findChromium())(findChromium() ? 'one item of a comparison, in a browser' : chromiumMissing, () => {
  const portal = withPortal({ entities: ['brands'] })

  test('an item that is gone and one that differs are each repaired by a copy of it alone', async () => {
    const { world } = portal
    const { requestId } = await world.complete({ entities: ['brands'] })
    const [gone, changed, ...others] = (await world.state('destination')).brands ?? []
    if (!gone || !changed) throw new Error('The seed has brands.')
    await callStore(world, 'destination', 'DELETE', `/v3/catalog/brands/${gone.id}`)
    const fields = { page_title: 'Theirs' }
    await world.change('destination', { op: 'set', table: 'brands', id: changed.id, fields })
    const { detail } = await world.verify(requestId)
    const tab = await portal.tab(await portal.person({ role: 'operator' }))
    const { page } = tab
    const differences = `${world.url}/app/migrations/${detail.requestId}/differences`
    for (const [name, strategy] of [
      [gone.name, 'Add what is missing'],
      [changed.name, 'Add and update'],
    ]) {
      await page.goto(differences)
      await page.getByRole('link', { name: `Copy this item: ${name}` }).click()
      await page.getByRole('heading', { level: 1, name: 'New migration' }).waitFor()
      expect(await page.getByRole('radio', { name: String(strategy) }).isChecked()).toBe(true)
      await page.getByRole('region', { name: 'Picked' }).getByText('1 item', { exact: true }).waitFor()
      await page.getByLabel('Name (optional)').fill(`Only ${name}`)
      await page.getByRole('button', { name: 'Start copying' }).click()
      await page.getByRole('heading', { level: 1, name: `Only ${name}` }).waitFor()
      await page.getByText('Done', { exact: true }).waitFor()
    }
    const after = (await world.state('destination')).brands ?? []
    expect(after.find(({ name }) => name === gone.name)).toBeDefined()
    expect(after.find(({ id }) => id === changed.id)?.page_title).toBe(changed.page_title)
    for (const other of others) expect(after).toContainEqual(other)
    await page.goto(differences)
    await page.getByRole('button', { name: `Compare again: ${changed.name}` }).click()
    await page.getByRole('dialog').getByText('The two stores agree on this item.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: `Compare again: ${gone.name}` }).click()
    await page.getByRole('dialog').getByText('The two stores agree on this item.').waitFor()
    await expectSound(tab, 'compared-after-copy')
    await tab.close()
  })

  test('a difference is accepted as it is, which the verdict and the report say, and reopened', async () => {
    const { world } = portal
    const { requestId } = await world.complete({ entities: ['brands'] })
    const [changed] = (await world.state('destination')).brands ?? []
    if (!changed) throw new Error('The seed has brands.')
    await world.change('destination', { op: 'set', table: 'brands', id: changed.id, fields: { page_title: 'Ours' } })
    const { detail } = await world.verify(requestId)
    const tab = await portal.tab(await portal.person({ role: 'operator' }))
    const { page } = tab
    await page.goto(`${world.url}/app/migrations/${detail.requestId}/differences`)
    await page.getByText(/^Of \d+ items, \d+ are equal and 1 differs\.$/).waitFor()
    await page.getByRole('button', { name: `Accept as is: ${changed.name}` }).click()
    const question = page.getByRole('dialog', { name: `Accept ${changed.name} as it is?` })
    await question.getByText('no longer needs review').waitFor()
    await expectSound(tab, 'accept-difference')
    await question.getByRole('button', { name: 'Accept as is' }).click()
    await page.getByText('1 of these findings was accepted as it is.').waitFor()
    await page.getByText('Accepted as it is.', { exact: true }).waitFor()
    expect((await world.detail(detail.requestId)).failuresOpen).toBe(0)
    await page.goto(`${world.url}/app/migrations/${requestId}/report`)
    await page.getByText('different (page title), accepted as it is').waitFor()
    await page.goto(`${world.url}/app/migrations/${detail.requestId}/differences`)
    await page.getByRole('button', { name: `Reopen: ${changed.name}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).click()
    await page.getByRole('button', { name: `Accept as is: ${changed.name}` }).waitFor()
    expect((await world.detail(detail.requestId)).failuresOpen).toBe(1)
    await tab.close()
  })

  test('all differences on a page are accepted with one question', async () => {
    const { world } = portal
    const { requestId } = await world.complete({ entities: ['brands'] })
    const brands = ((await world.state('destination')).brands ?? []).slice(0, 3)
    for (const { id } of brands)
      await world.change('destination', { op: 'set', table: 'brands', id, fields: { page_title: 'Ours' } })
    const { detail } = await world.verify(requestId)
    const tab = await portal.tab(await portal.person({ role: 'operator' }))
    const { page } = tab
    await page.goto(`${world.url}/app/migrations/${detail.requestId}/differences`)
    await page.getByRole('button', { name: `Accept as is: ${brands[0]?.name}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Accept as is' }).click()
    await page.getByRole('button', { name: 'Accept the 2 on this page as they are' }).click()
    const question = page.getByRole('dialog', { name: 'Accept 2 differences as they are?' })
    await question.getByText('Nothing else needs review.').waitFor()
    await expectSound(tab, 'accept-differences')
    await question.getByRole('button', { name: 'Accept 2 differences' }).click()
    await page.getByText('3 of these findings were accepted as they are.').waitFor()
    await page.getByRole('button', { name: /on this page/ }).waitFor({ state: 'hidden' })
    const { status, failuresOpen } = await world.detail(detail.requestId)
    expect({ status, failuresOpen }).toEqual({ status: 'completed', failuresOpen: 0 })
    await tab.close()
  })

  test('of a field about a person the list says that it differs, and not that both stores have nothing', async () => {
    const { world } = portal
    const { requestId } = await world.complete({ entities: ['customers'] })
    const [customer] = (await world.state('destination')).customers ?? []
    if (!customer) throw new Error('The seed has customers.')
    const fields = { company: 'Elsewhere' }
    await world.change('destination', { op: 'set', table: 'customers', id: customer.id, fields })
    const { detail } = await world.verify(requestId)
    const tab = await portal.tab(await portal.person({ role: 'owner' }))
    const { page } = tab
    await page.goto(`${world.url}/app/migrations/${detail.requestId}/differences`)
    await page.locator('summary').filter({ hasText: 'company' }).click()
    await page.getByRole('row').getByText('differs (not shown)').waitFor()
    expect(await page.getByRole('row').filter({ hasText: 'null' }).count()).toBe(0)
    await tab.close()
  })

  test('a viewer compares an item again, and reads that viewers copy none', async () => {
    const { world } = portal
    const { requestId } = await world.complete({ entities: ['brands'] })
    const [gone] = (await world.state('destination')).brands ?? []
    await callStore(world, 'destination', 'DELETE', `/v3/catalog/brands/${gone?.id}`)
    const { detail } = await world.verify(requestId)
    const tab = await portal.tab(await portal.person({ role: 'viewer' }))
    const { page } = tab
    await page.goto(`${world.url}/app/migrations/${detail.requestId}/differences`)
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: `Compare again: ${gone?.name}` }) })
    const why = 'Viewers cannot start, change or sign migrations. Ask an owner or operator.'
    await row.getByRole('button', { name: /^Copy this item/, description: why }).waitFor()
    // The page says it once, for its own buttons as well.
    expect(await page.getByText(why).count()).toBe(1)
    await row.getByRole('button', { name: 'Compare again' }).click()
    await page.getByRole('dialog').getByText('Its copy is not in the destination any more.').waitFor()
    await expectSound(tab, 'differences-viewer')
    await tab.close()
  })
})

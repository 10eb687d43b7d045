import { afterAll, beforeAll, expect, test } from 'vitest'
import { pagePaths } from '../../src/api/pages/pages.ts'
import { routes } from '../../src/api/routes.ts'
import { aMerchant, type Merchant } from './a-merchant.ts'

let merchant: Merchant
beforeAll(async () => {
  merchant = await aMerchant()
})
afterAll(() => merchant?.close())

test('The migration API version path prefix is `v2`, and the interface description version is 2.0.0.', async () => {
  const said = (await merchant.get('/v2/openapi.json')).json()
  expect(said.info.version).toBe('2.0.0')
  const prefixes = new Set(routes.map(({ path }) => path.split('/')[1]))
  expect(prefixes).toEqual(new Set(['v2', 'admin']))
  expect(pagePaths.every((path) => path.startsWith('/app'))).toBe(true)
})

test('The API credential secret carries an integer version that increments on every rotate or disable.', async () => {
  const { administrator, organisation } = merchant
  const at = `/admin/api/organisations/${organisation.id}/credential`
  const versions = []
  for (const change of ['rotate', 'rotate', 'disable'])
    versions.push((await administrator.send('POST', `${at}/${change}`)).json().version)
  expect(versions).toEqual([2, 3, 4])
  expect((await administrator.send('POST', at)).json().version).toBe(4)
})

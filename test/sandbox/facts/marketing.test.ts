/** Gift certificates, coupons, promotions and their codes. Left out: what their discounts come to in a cart. */
import { describe, expect, it } from 'vitest'
import { aShop, type Shop, times } from '../a-shop.ts'

const COUPONS = '/v2/coupons'
const CERTIFICATES = '/v2/gift_certificates'
const PROMOTIONS = '/v3/promotions'

const coupon = (code: string, fields: object = {}) => ({
  name: `Coupon ${code}`,
  code,
  type: 'per_total_discount',
  amount: '5',
  applies_to: { entity: 'categories', ids: [0] },
  ...fields,
})

const certificate = (fields: object = {}) => ({
  ...{ to_name: 'Robin Sample', to_email: 'robin@example.com' },
  ...{ from_name: 'Kim Example', from_email: 'kim@example.com', amount: '50' },
  ...fields,
})

const rules = [{ action: { cart_value: { discount: { fixed_amount: '5' } } } }]
const promotion = (name: string, fields: object = {}) => ({ name, redemption_type: 'AUTOMATIC', rules, ...fields })
const bulk = (name: string) => promotion(name, { redemption_type: 'COUPON', coupon_type: 'BULK' })

const codesOf = (id: number) => `${PROMOTIONS}/${id}/codes`

async function withCodes({ made }: Shop, ...codes: string[]): Promise<number> {
  const { id } = await made('POST', PROMOTIONS, bulk(`With ${codes}`))
  for (const code of codes) await made('POST', codesOf(id), { code })
  return id
}

describe('gift certificates', () => {
  it('come 250 a page at most, by ascending id, and by min_id', async () => {
    const { call, get } = await aShop()
    for (const n of times(3, (number) => number)) await call('POST', CERTIFICATES, certificate({ code: `C-${n}` }))
    const all = (await get(`${CERTIFICATES}?limit=250`)).body
    expect(all.map(({ code }: { code: string }) => code)).toEqual(['C-1', 'C-2', 'C-3'])
    const rest = (await get(`${CERTIFICATES}?min_id=${all[1].id}`)).body
    expect(rest.map(({ code }: { code: string }) => code)).toEqual(['C-2', 'C-3'])
    expect((await get(`${CERTIFICATES}?min_id=${all[2].id + 1}`)).status).toBe(204)
  })

  it.each(['code', 'order_id', 'to_name', 'to_email', 'from_name', 'from_email'])('are found by %s', async (field) => {
    const { call, get } = await aShop()
    const other = { to_name: 'O', to_email: 'o@example.com', from_name: 'P', from_email: 'p@example.com' }
    const { body: wanted } = await call('POST', CERTIFICATES, certificate({ code: 'WANTED' }))
    await call('POST', CERTIFICATES, certificate({ code: 'OTHER', ...other }))
    const found = (await get(`${CERTIFICATES}?${field}=${encodeURIComponent(wanted[field])}`)).body
    expect(found[0]).toEqual(wanted)
    expect(found).toHaveLength(field === 'order_id' ? 2 : 1)
  })

  it('have a code that can be written; it is cut after 20 characters and made up when there is none', async () => {
    const { call } = await aShop()
    const { body: cut } = await call('POST', CERTIFICATES, certificate({ code: 'X'.repeat(30) }))
    expect(cut.code).toBe('X'.repeat(20))
    expect((await call('POST', CERTIFICATES, certificate())).body.code).toMatch(/^\w{3}-\w{3}-\w{3}-\w{3}$/)
  })

  it('take dates as mail spells them and show them as Unix time; the balance is the amount unless told', async () => {
    const { call } = await aShop()
    const { status, body } = await call(
      'POST',
      CERTIFICATES,
      certificate({ expiry_date: 'Tue, 01 Feb 2028 10:00:00 +0000' }),
    )
    expect(status).toBe(201)
    expect(body).toMatchObject({ expiry_date: '1833012000', balance: '50.0000', amount: '50.0000', status: 'active' })
  })

  it.each([
    [250, 201],
    [251, 400],
  ])('take a message of %i characters with %i', async (length, status) => {
    const { call } = await aShop()
    expect((await call('POST', CERTIFICATES, certificate({ message: 'm'.repeat(length) }))).status).toBe(status)
  })

  it('keep the order they were bought with from being written', async () => {
    const { call } = await aShop()
    expect((await call('POST', CERTIFICATES, certificate({ order_id: 7 }))).body.order_id).toBe(0)
  })
})

describe('coupons', () => {
  it('are listed without the shadows of promotions when asked so, and with them otherwise', async () => {
    const shop = await aShop()
    await shop.call('POST', COUPONS, coupon('OWN'))
    await withCodes(shop, 'SHADOW')
    const codes = async (query: string) =>
      (await shop.get(`${COUPONS}${query}`)).body.map(({ code }: { code: string }) => code).sort()
    expect(await codes('?exclude_type=promotion')).toEqual(['OWN'])
    expect(await codes('')).toEqual(['OWN', 'SHADOW'])
    const [shadow] = (await shop.get(`${COUPONS}?type=promotion`)).body
    expect(shadow).toMatchObject({
      amount: '0.0000',
      min_purchase: '0.0000',
      restricted_to: [],
      shipping_methods: null,
    })
    expect((await shop.get(`${COUPONS}/count`)).body).toEqual({ count: 2 })
  })

  it.each(['name', 'code'])('do not share a %s', async (field) => {
    const { call } = await aShop()
    const first = coupon('ONE')
    expect((await call('POST', COUPONS, first)).status).toBe(201)
    const second = { ...coupon('TWO'), [field]: first[field as 'name'] }
    expect((await call('POST', COUPONS, second)).status).toBe(409)
  })

  it.each([
    ['a code of 50 characters', { code: 'c'.repeat(50) }, 201],
    ['a code of 51 characters', { code: 'c'.repeat(51) }, 400],
    ['letters, digits, spaces, underscores and hyphens', { code: 'aZ 9_-' }, 201],
    ['any other character', { code: 'a.b' }, 400],
    ['a name of 100 characters', { name: 'n'.repeat(100) }, 201],
    ['a name of 101 characters', { name: 'n'.repeat(101) }, 400],
  ])('with %s', async (_what, fields, status) => {
    const { call } = await aShop()
    expect((await call('POST', COUPONS, coupon('PLAIN', fields))).status).toBe(status)
  })

  it('lose what they apply to when an update does not repeat it', async () => {
    const { call } = await aShop()
    const { body } = await call('POST', COUPONS, coupon('LOSES'))
    const { applies_to: _gone, ...rest } = coupon('LOSES', { amount: '6' })
    const { body: updated } = await call('PUT', `${COUPONS}/${body.id}`, rest)
    expect(updated).toMatchObject({ amount: '6.0000', applies_to: { ids: [] } })
  })

  it('keep their uses and their birth from being written, and tell when they expire as mail does', async () => {
    const { call } = await aShop()
    const expires = 'Tue, 01 Feb 2028 10:00:00 +0000'
    const { body } = await call('POST', COUPONS, coupon('FRESH', { num_uses: 9, date_created: expires, expires }))
    expect(body).toMatchObject({ num_uses: 0, expires })
    expect(body.date_created).not.toBe(expires)
  })

  it('go by a list of ids', async () => {
    const { call, get } = await aShop()
    const ids = []
    for (const code of ['A', 'B', 'C']) ids.push((await call('POST', COUPONS, coupon(code))).body.id)
    expect((await call('DELETE', `${COUPONS}?id:in=${ids[0]},${ids[2]}`)).status).toBe(204)
    expect((await get(COUPONS)).body.map(({ code }: { code: string }) => code)).toEqual(['B'])
  })
})

describe('promotions', () => {
  it.each([
    ['redemption_type=coupon', ['Codes']],
    ['redemption_type=automatic', ['Mine', 'Off']],
    ['status=disabled', ['Off']],
    ['channels=1', ['Mine', 'Codes', 'Off']],
    ['channels=2', ['Codes', 'Off']],
    ['name=Mine', ['Mine']],
    ['code=FINDS', ['Codes']],
    ['query=FINDS', ['Codes']],
    ['currency_code=EUR', ['Off']],
  ])('are found by %s', async (query, names) => {
    const { made, rows } = await aShop()
    await made('POST', PROMOTIONS, promotion('Mine', { channels: [{ id: 1 }] }))
    const { id } = await made('POST', PROMOTIONS, bulk('Codes'))
    await made('POST', codesOf(id), { code: 'FINDS' })
    await made('POST', PROMOTIONS, promotion('Off', { status: 'DISABLED', currency_code: 'EUR' }))
    expect((await rows(`${PROMOTIONS}?${query}`)).map(({ name }: { name: string }) => name)).toEqual(names)
  })

  it('may share a name, and take INVALID from nobody', async () => {
    const { call } = await aShop()
    expect((await call('POST', PROMOTIONS, promotion('Twin'))).status).toBe(201)
    expect((await call('POST', PROMOTIONS, promotion('Twin'))).status).toBe(201)
    expect((await call('POST', PROMOTIONS, promotion('Odd', { status: 'INVALID' }))).status).toBe(422)
  })

  it('keep what an update leaves out', async () => {
    const { made } = await aShop()
    for (const body of [promotion('Stays'), bulk('Has codes')]) {
      const before = await made('POST', PROMOTIONS, { ...body, status: 'DISABLED', max_uses: 3 })
      const after = await made('PUT', `${PROMOTIONS}/${before.id}`, { status: 'ENABLED' })
      expect(after).toEqual({ ...before, status: 'ENABLED' })
    }
  })

  it('override others only when they are coupons that are used alone', async () => {
    const { call } = await aShop()
    const overriding = { coupon_overrides_other_promotions: true }
    expect((await call('POST', PROMOTIONS, { ...bulk('With'), ...overriding })).status).toBe(422)
    const alone = { ...bulk('Alone'), ...overriding, can_be_used_with_other_promotions: false }
    expect((await call('POST', PROMOTIONS, alone)).status).toBe(201)
  })

  it('stay as long as they have codes, and the others of the list go', async () => {
    const shop = await aShop()
    const { id } = await shop.made('POST', PROMOTIONS, promotion('Goes'))
    const stays = await withCodes(shop, 'HELD')
    const { status, body } = await shop.call('DELETE', `${PROMOTIONS}?id:in=${id},${stays}`)
    expect(status).toBe(422)
    expect(body.meta).toEqual({ total: 2, success: 1, failed: 1 })
    expect(Object.keys(body.errors[0].errors)).toEqual(['1.code'])
    expect((await shop.rows(PROMOTIONS)).map((row: { id: number }) => row.id)).toEqual([stays])
  })

  it.each([
    [50, 204],
    [51, 422],
  ])('go %i at once with %i', async (count, status) => {
    const { call } = await aShop()
    expect((await call('DELETE', `${PROMOTIONS}?id:in=${times(count, (n) => n)}`)).status).toBe(status)
  })

  it('have settings of the whole store', async () => {
    const { call, get } = await aShop()
    const { body } = await get(`${PROMOTIONS}/settings`)
    const changed = { ...body, number_of_coupons_allowed_at_checkout: 5 }
    expect((await call('PUT', `${PROMOTIONS}/settings`, changed)).body).toEqual(changed)
    expect((await get(`${PROMOTIONS}/settings`)).body).toEqual(changed)
  })
})

describe('codes of promotions', () => {
  it('are made one a call, come by cursor, and are found by themselves', async () => {
    const shop = await aShop()
    const id = await withCodes(shop, 'ONE', 'TWO', 'THREE')
    const { body: first } = await shop.get(`${codesOf(id)}?limit=2`)
    expect(first.data.map(({ code }: { code: string }) => code)).toEqual(['ONE', 'TWO'])
    const after = first.meta.cursor_pagination.end_cursor
    const [last] = await shop.rows(`${codesOf(id)}?limit=2&after=${encodeURIComponent(after)}`)
    expect(last.code).toBe('THREE')
    expect(await shop.rows(`${PROMOTIONS}/codes?code=THREE`)).toEqual([last])
  })

  it('belong to one promotion of the store', async () => {
    const shop = await aShop()
    await withCodes(shop, 'ONCE')
    const { id } = await shop.made('POST', PROMOTIONS, bulk('Another'))
    expect((await shop.call('POST', codesOf(id), { code: 'ONCE' })).status).toBe(422)
  })

  it.each([
    [250, 201],
    [251, 422],
  ])('are generated %i at once with %i, with texts that nobody chose', async (batch_size, status) => {
    const { made, call, rows } = await aShop()
    const { id } = await made('POST', PROMOTIONS, bulk('Many'))
    const answer = await call('POST', `${PROMOTIONS}/${id}/codegen`, { batch_size })
    expect(answer.status).toBe(status)
    if (status > 201) return
    expect(answer.body.data.codes[0].code).toMatch(/^[A-Z0-9]{16}$/)
    expect(await rows(`${codesOf(id)}?limit=250`)).toHaveLength(250)
  })

  it('go by a list of ids, one by one, and by their text', async () => {
    const shop = await aShop()
    const id = await withCodes(shop, 'A', 'B', 'C')
    const [a, b] = await shop.rows(codesOf(id))
    expect((await shop.call('DELETE', `${codesOf(id)}?id:in=${a.id}`)).status).toBe(204)
    expect((await shop.call('DELETE', `${codesOf(id)}/${b.id}`)).status).toBe(204)
    expect((await shop.call('DELETE', `${PROMOTIONS}/codes?code=C`)).status).toBe(204)
    expect(await shop.rows(codesOf(id))).toEqual([])
  })
})

/** Customers with their children. Left out: stored instruments, which cannot be written. */
import { describe, expect, it } from 'vitest'
import { aShop, metafield, type Shop, times } from '../a-shop.ts'

const CUSTOMERS = '/v3/customers'
const ADDRESSES = `${CUSTOMERS}/addresses`
const ATTRIBUTES = `${CUSTOMERS}/attributes`
const VALUES = `${CUSTOMERS}/attribute-values`
const FIELDS = `${CUSTOMERS}/form-field-values`
const SETTINGS = `${CUSTOMERS}/settings`

const person = (email: string, fields: object = {}) => ({ email, first_name: 'Ada', last_name: 'Example', ...fields })

const address = (n: number, fields: object = {}) => ({
  ...{ first_name: 'Ada', last_name: 'Example', address1: `${n} Example Road`, city: 'Austin' },
  ...{ state_or_province: 'Texas', postal_code: '78701', country_code: 'US' },
  ...fields,
})

const ada = 'ada@example.com'
const madeOf = async ({ made }: Shop, ...people: object[]) => made('POST', CUSTOMERS, people)
const emailsOf = (rows: { email: string }[]) => rows.map(({ email }) => email)

/** A store with one customer. */
async function withAda(fields: object = {}) {
  const shop = await aShop()
  const [customer] = await madeOf(shop, person(ada, fields))
  return { ...shop, customer }
}

/** Customer attributes in this number, by id. */
async function attributesIn({ made }: Shop, count: number): Promise<number[]> {
  const rows = await made(
    'POST',
    ATTRIBUTES,
    times(count, (n) => ({ name: `Attribute ${n}`, type: 'string' })),
  )
  return rows.map(({ id }: { id: number }) => id)
}

describe('customers', () => {
  it('report the number of their addresses and attributes, and show ten of each', async () => {
    const { call, rows, customer, ...shop } = await withAda()
    const ids = await attributesIn({ ...shop, call, rows }, 12)
    await call(
      'POST',
      ADDRESSES,
      times(12, (n) => address(n, { customer_id: customer.id })),
    )
    await call(
      'PUT',
      VALUES,
      ids.map((attribute_id) => ({ customer_id: customer.id, attribute_id, value: 'yes' })),
    )
    const [shown] = await rows(`${CUSTOMERS}?include=addresses,attributes`)
    expect(shown).toMatchObject({ address_count: 12, attribute_count: 12 })
    expect([shown.addresses.length, shown.attributes.length]).toEqual([10, 10])
    expect(await rows(`${ADDRESSES}?customer_id:in=${customer.id}`)).toHaveLength(12)
    expect(await rows(`${VALUES}?customer_id:in=${customer.id}`)).toHaveLength(12)
  })

  it('show addresses, store credit, attributes and form fields on request only', async () => {
    const { rows } = await withAda({ addresses: [address(1)], store_credit_amounts: [{ amount: 7.5 }] })
    expect(Object.keys((await rows(CUSTOMERS))[0])).not.toContain('store_credit_amounts')
    const [shown] = await rows(`${CUSTOMERS}?include=addresses,storecredit,attributes,formfields`)
    expect(shown).toMatchObject({ store_credit_amounts: [{ amount: 7.5 }], attributes: [], form_fields: [] })
    expect(shown.addresses).toHaveLength(1)
  })

  it('are created with at most ten addresses and ten attributes', async () => {
    const shop = await aShop()
    const ids = await attributesIn(shop, 11)
    const withParts = (email: string, count: number) =>
      person(email, {
        addresses: times(count, (n) => address(n)),
        attributes: ids.slice(0, count).map((attribute_id) => ({ attribute_id, attribute_value: 'yes' })),
      })
    const [most] = await madeOf(shop, withParts(ada, 10))
    expect(most).toMatchObject({ address_count: 10, attribute_count: 10 })
    expect((await shop.call('POST', CUSTOMERS, [withParts('b@example.com', 11)])).status).toBe(422)
  })

  it('have an attribute only if it exists', async () => {
    const { call } = await aShop()
    const unknown = person(ada, { attributes: [{ attribute_id: 99, attribute_value: 'yes' }] })
    expect((await call('POST', CUSTOMERS, [unknown])).status).toBe(422)
  })

  it.each(['POST', 'PUT'])('are accepted ten per call by %s; eleven are 413', async (method) => {
    const shop = await aShop()
    const people = times(11, (n) => person(`person-${n}@example.com`))
    const known = await madeOf(shop, ...people.slice(0, 10))
    const rows = method === 'PUT' ? [...known, known[0]] : times(11, (n) => person(`other-${n}@example.com`))
    const bodies = rows.map(({ id, email }: { id?: number; email: string }) => person(email, id ? { id } : {}))
    expect((await shop.call(method, CUSTOMERS, bodies)).status).toBe(413)
    expect((await shop.call(method, CUSTOMERS, bodies.slice(0, 10))).status).toBe(200)
  })

  it('are refused together if one of them is invalid, by an error that names the address in use', async () => {
    const { call, rows } = await withAda()
    const { status, body } = await call('POST', CUSTOMERS, [person('new@example.com'), person(ada)])
    expect([status, body.title]).toEqual([422, 'Create customers failed.'])
    expect(body.errors['.customer_create']).toContain(`email ${ada} already in use`)
    expect(emailsOf(await rows(CUSTOMERS))).toEqual([ada])
  })

  it('are partly saved with the same answer if the switch says so', async () => {
    const shop = await aShop({ switches: { customer_batch: 'partial' } })
    await madeOf(shop, person(ada))
    const { status } = await shop.call('POST', CUSTOMERS, [person('new@example.com'), person(ada)])
    expect(status).toBe(422)
    expect(emailsOf(await shop.rows(CUSTOMERS))).toEqual([ada, 'new@example.com'])
  })

  it('may share an email address if they have access to different storefronts', async () => {
    const shop = await aShop()
    const other = { name: 'Outlet', type: 'storefront', platform: 'bigcommerce' }
    const { id } = await shop.made('POST', '/v3/channels', other)
    await madeOf(shop, person(ada, { channel_ids: [1] }), person(ada, { channel_ids: [id] }))
    expect(emailsOf(await shop.rows(`${CUSTOMERS}?email:in=${ada}`))).toEqual([ada, ada])
    expect((await shop.call('POST', CUSTOMERS, [person(ada, { channel_ids: [id] })])).status).toBe(422)
  })

  it('keep their children in an update, except for form fields and store credit', async () => {
    const { call, rows, customer } = await withAda({ addresses: [address(1)] })
    const parts = { addresses: [address(2)], attributes: [], store_credit_amounts: [{ amount: 3 }] }
    const form_fields = [{ name: 'Nickname', value: 'Countess' }]
    await call('PUT', CUSTOMERS, [{ id: customer.id, ...parts, form_fields }])
    const [shown] = await rows(`${CUSTOMERS}?include=addresses,storecredit,formfields`)
    expect(shown.addresses.map(({ address1 }: { address1: string }) => address1)).toEqual(['1 Example Road'])
    expect(shown.store_credit_amounts).toEqual([{ amount: 3 }])
    expect(shown.form_fields).toMatchObject(form_fields)
  })

  it('show whether a new password is required, and never a password', async () => {
    const authentication = { force_password_reset: true, new_password: 'correct horse 1' }
    const { rows } = await withAda({ authentication })
    const [shown] = await rows(CUSTOMERS)
    expect(shown.authentication).toEqual({ force_password_reset: true })
    expect(JSON.stringify(shown)).not.toContain('correct horse')
  })

  it('can have a password validated', async () => {
    const { call, customer } = await withAda({ authentication: { new_password: 'correct horse 1' } })
    const ask = async (password: string) =>
      (await call('POST', `${CUSTOMERS}/validate-credentials`, { email: ada, password })).body
    expect(await ask('correct horse 1')).toEqual({ is_valid: true, customer_id: customer.id })
    expect(await ask('wrong')).toEqual({ is_valid: false, customer_id: null })
  })

  it('are not deleted without a filter, which is 204 all the same', async () => {
    const { call, rows, customer } = await withAda()
    expect((await call('DELETE', CUSTOMERS)).status).toBe(204)
    expect(await rows(CUSTOMERS)).toHaveLength(1)
    expect((await call('DELETE', `${CUSTOMERS}?id:in=${customer.id}`)).status).toBe(204)
    expect(await rows(CUSTOMERS)).toHaveLength(0)
  })

  it('have the platform’s creation time, not that of the body, and no IP address', async () => {
    const { customer } = await withAda({ date_created: '2001-01-01T00:00:00Z', registration_ip_address: '192.0.2.1' })
    expect(Date.parse(customer.date_created)).toBeGreaterThan(Date.parse('2020-01-01'))
    expect(customer.registration_ip_address).toBe('')
  })
})

describe('addresses of customers', () => {
  it('that a customer has already are left out of the answer, which is 200', async () => {
    const { call, customer } = await withAda()
    const same = address(1, { customer_id: customer.id })
    expect((await call('POST', ADDRESSES, [same])).body.data).toHaveLength(1)
    const { status, body } = await call('POST', ADDRESSES, [same, address(2, { customer_id: customer.id })])
    expect([status, body.data.length]).toEqual([200, 1])
  })

  it.each([
    'state_or_province',
    'postal_code',
  ])('require a %s in their own call, but not inside a customer', async (field) => {
    const shop = await aShop()
    const { [field as 'postal_code']: _left, ...rest } = address(1)
    const [customer] = await madeOf(shop, person(ada, { addresses: [rest] }))
    expect(customer.address_count).toBe(1)
    expect((await shop.call('POST', ADDRESSES, [{ ...rest, customer_id: customer.id }])).status).toBe(422)
  })
})

describe('attributes of customers', () => {
  it.each(['string', 'number', 'date'])('have a type, such as %s, that cannot change', async (type) => {
    const { call, made } = await aShop()
    const [{ id }] = await made('POST', ATTRIBUTES, [{ name: 'Loyalty', type }])
    const other = type === 'string' ? 'number' : 'string'
    const { body } = await call('PUT', ATTRIBUTES, [{ id, name: 'Loyalty level', type: other }])
    expect(body.data).toMatchObject([{ id, name: 'Loyalty level', type }])
  })

  it('have unique names, and a store has at most 50', async () => {
    const shop = await aShop()
    await attributesIn(shop, 50)
    const add = async (name: string) => (await shop.call('POST', ATTRIBUTES, [{ name, type: 'string' }])).status
    expect(await add('attribute 7')).toBe(422)
    expect(await add('One more')).toBe(422)
  })

  it('are written for ten customers per call', async () => {
    const shop = await aShop()
    const [attribute_id = 0] = await attributesIn(shop, 1)
    const people = [
      ...(await madeOf(shop, ...times(10, (n) => person(`person-${n}@example.com`)))),
      ...(await madeOf(shop, person('last@example.com'))),
    ]
    const all = people.map(({ id }: { id: number }) => ({ customer_id: id, attribute_id, value: 'yes' }))
    expect((await shop.call('PUT', VALUES, all)).status).toBe(413)
    expect((await shop.call('PUT', VALUES, all.slice(0, 10))).status).toBe(200)
    await shop.made('PUT', VALUES, [{ ...all[0], value: 'no' }])
    const values = await shop.rows(`${VALUES}?customer_id:in=${people[0].id}`)
    expect(values).toMatchObject([{ attribute_value: 'no' }])
  })
})

describe('form fields of customers', () => {
  it('are written and read by name', async () => {
    const { made, rows, customer } = await withAda({ form_fields: [{ name: 'Nickname', value: 'Countess' }] })
    await made('PUT', FIELDS, [{ customer_id: customer.id, name: 'Shoe size', value: '38' }])
    const told = await rows(`${FIELDS}?customer_id=${customer.id}`)
    expect(told).toMatchObject([
      { name: 'Nickname', value: 'Countess' },
      { name: 'Shoe size', value: '38' },
    ])
  })

  it('are those of the control panel: any other name is 422', async () => {
    const { call } = await aShop({ switches: { form_fields: ['Nickname'] } })
    const answered = (name: string) => person(`${name.length}@example.com`, { form_fields: [{ name, value: 'x' }] })
    expect((await call('POST', CUSTOMERS, [answered('Nickname')])).status).toBe(200)
    expect((await call('POST', CUSTOMERS, [answered('Invented')])).status).toBe(422)
  })

  it('of a list offer some values: any other is 422', async () => {
    const { call } = await aShop({ switches: { form_fields: [{ name: 'Size', values: ['S', 'L'] }] } })
    const answered = (value: unknown) => person('ada@example.com', { form_fields: [{ name: 'Size', value }] })
    expect((await call('POST', CUSTOMERS, [answered('XL')])).status).toBe(422)
    expect((await call('POST', CUSTOMERS, [answered(['S', 'XL'])])).status).toBe(422)
    expect((await call('POST', CUSTOMERS, [answered(['S', 'L'])])).status).toBe(200)
  })
})

describe('consent of customers', () => {
  it('is read and declared for one customer per call, as allowed and denied categories', async () => {
    const { call, customer } = await withAda()
    const path = `${CUSTOMERS}/${customer.id}/consent`
    expect((await call('GET', path)).body).toMatchObject({ allow: [], deny: [] })
    const declared = { allow: ['essential', 'analytics'], deny: ['targeting'] }
    expect((await call('PUT', path, declared)).body).toMatchObject(declared)
    expect((await call('GET', path)).body).toMatchObject(declared)
    expect((await call('PUT', path, { allow: ['analytics'], deny: ['analytics'] })).status).toBe(422)
    const half = await call('PUT', path, { allow: ['analytics'] })
    expect([half.status, half.body.errors]).toEqual([422, { deny: 'error.path.missing' }])
  })
})

describe('settings of customers', () => {
  it('name the groups of guests and of new customers, for the store and for a channel', async () => {
    const { made, rows } = await aShop()
    await made('PUT', SETTINGS, {
      customer_group_settings: { guest_customer_group_id: 3, default_customer_group_id: 4 },
    })
    const groups = { guest_customer_group_id: 3, default_customer_group_id: 4 }
    expect(await rows(SETTINGS)).toMatchObject({ customer_group_settings: groups })
    await made('PUT', `${SETTINGS}/channels/1`, { customer_group_settings: { default_customer_group_id: 5 } })
    const own = { guest_customer_group_id: null, default_customer_group_id: 5 }
    expect(await rows(`${SETTINGS}/channels/1`)).toMatchObject({ customer_group_settings: own })
  })

  it('say whether customers of other channels have access', async () => {
    const { made, rows } = await aShop()
    await made('PUT', `${SETTINGS}/channels/1`, { allow_global_logins: false })
    expect(await rows(`${SETTINGS}/channels/1`)).toMatchObject({ allow_global_logins: false })
  })
})

describe('metafields', () => {
  it('of a customer are read, written and deleted in batches by the customer they belong to', async () => {
    const { call, rows, customer } = await withAda()
    const batch = `${CUSTOMERS}/metafields`
    const { status, body } = await call('POST', batch, [metafield('shelf-key', { resource_id: customer.id })])
    expect([status, body.meta]).toEqual([200, { total: 1, success: 1, failed: 0 }])
    expect(await rows(batch)).toMatchObject([{ resource_id: customer.id, key: 'shelf-key' }])
    expect((await call('DELETE', batch, [body.data[0].id])).status).toBe(200)
    expect(await rows(batch)).toEqual([])
  })

  it.each([
    ['namespace', 64],
    ['key', 64],
    ['description', 255],
    ['value', 65_535],
  ])('have a %s of at most %i characters', async (field, most) => {
    const { call, customer } = await withAda()
    const save = async (length: number) =>
      (await call('POST', `${CUSTOMERS}/${customer.id}/metafields`, metafield('k', { [field]: 'x'.repeat(length) })))
        .status
    expect(await save(most + 1)).toBe(422)
    expect(await save(most)).toBe(200)
  })

  it('are unique by client, namespace, key and owner: a duplicate is 409', async () => {
    const { call, customer } = await withAda()
    const save = async () => (await call('POST', `${CUSTOMERS}/${customer.id}/metafields`, metafield('k'))).status
    expect([await save(), await save()]).toEqual([200, 409])
  })
})

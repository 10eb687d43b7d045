import { expect, test } from 'vitest'
import { type Draft, draft } from '../../entities/core/draft.ts'
import { maySuspectParts, TriedParts, withoutTriedParts } from './tried-parts.ts'
import type { CreateRequest } from './writes.ts'

function answersTo(component: string, ...names: string[]): Draft {
  const fields = Object.fromEntries(names.map((name) => [name, 'Yes']))
  return draft(component, 1, { form_fields: [] }, { compare: fields, keys: ['fields'], inline: true })
}

function customer(...children: Draft[]): CreateRequest {
  const entry = () => async () => undefined
  const rest = { parentId: '', parent: null, pass: 'customers', rootId: '1', parentIsNew: false, entry }
  return { ...rest, draft: draft('customers', 1, {}, { children }), read: (item) => draft('customers', item.id, item) }
}

const refusal = (title: string) => ({ title, errors: {}, method: 'POST', path: '/v3/customers', httpStatus: 422 })
const named = refusal('Error creating customers: form field Colour does not exist')
const unnamed = refusal('Create customers failed.')
const inline = ({ draft: { children } }: CreateRequest) => children.map((child) => child.inline)

test('a refusal that names a field leaves out the answers to that field, in the form in which they were', () => {
  const tried = new TriedParts()
  const colour = customer(answersTo('customer-form-fields', 'Colour'))
  const size = customer(answersTo('customer-form-fields', 'Size'))
  const inAddress = customer(answersTo('customer-address-form-fields', 'Colour'))
  expect(maySuspectParts([colour, size], named)).toBe(true)
  tried.refuse([colour, size], named)
  expect(tried.withoutRefused([colour, size, inAddress]).map(inline)).toEqual([[false], [true], [true]])
})

test('a refusal that names none is suspected of a single customer only, and leaves out what that one answered', () => {
  const tried = new TriedParts()
  const both = customer(answersTo('customer-form-fields', 'Colour', 'Size'))
  expect(maySuspectParts([both, both], unnamed)).toBe(false)
  expect(maySuspectParts([both], unnamed)).toBe(true)
  tried.refuse([both], unnamed)
  const others = ['Colour', 'Size', 'Gate'].map((name) => customer(answersTo('customer-form-fields', name)))
  expect(tried.withoutRefused(others).map(inline)).toEqual([[false], [false], [true]])
})

test('calls with a field that was never answered wait for each other, until a call with it was answered', () => {
  const tried = new TriedParts()
  const one = customer(answersTo('customer-form-fields', 'Colour'))
  expect(tried.unknownIn([one])).toEqual(['customer-form-fields/Colour'])
  tried.accept([one])
  expect(tried.unknownIn([one])).toEqual([])
  tried.refuse([one], named)
  tried.accept([one])
  expect(tried.withoutRefused([one]).map(inline)).toEqual([[false]])
})

test('without what is tried, a customer and its addresses are sent as before', () => {
  const fields = answersTo('customer-address-form-fields', 'Gate')
  const address = draft('customer-addresses', 2, {}, { inline: true, children: [fields] })
  const { draft: sent } = withoutTriedParts(customer(address, answersTo('customer-form-fields', 'Colour')))
  expect(sent.children.map((child) => child.inline)).toEqual([true, false])
  expect(sent.children[0]?.children.map((child) => child.inline)).toEqual([false])
})

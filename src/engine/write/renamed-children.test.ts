import { expect, test } from 'vitest'
import { variantDraft } from '../../entities/catalog/product-children.ts'
import { type Draft, draft } from '../../entities/core/draft.ts'
import { pairUp } from '../core/pairing.ts'
import { underOwnKeys } from './renamed-children.ts'

const value = (id: number, label: string) =>
  draft('product-option-values', id, { label }, { keys: [`value:${label.toLowerCase()}`], name: label })
const option = (id: number, name: string, values: Draft[]) =>
  draft('product-options', id, { name }, { keys: [`option:${name.toLowerCase()}`], name, children: values })
const variant = (id: number, size: string, price: number) =>
  variantDraft({ id, price, option_values: [{ option_display_name: 'Size', label: size }] })
const product = (id: number, children: Draft[]) => draft('products', id, {}, { children })

/** The id of a copy is that of its original plus one hundred. */
const copies =
  (...known: number[]) =>
  ({ id }: Draft) =>
    known.includes(Number(id)) ? String(Number(id) + 100) : undefined
const pairsOf = (desired: Draft, existing: Draft) =>
  pairUp(desired.children, existing.children).pairs.map((pair) => [pair.desired.id, pair.existing?.id ?? null])

test('C2: an option value that was renamed at the destination is recognised as our copy, however deep it is', () => {
  const desired = product(1, [option(2, 'Size', [value(3, 'Small'), value(4, 'Large')])])
  const existing = product(101, [option(102, 'Size', [value(103, 'Tiny'), value(104, 'Large')])])
  const [known] = underOwnKeys(desired, existing, copies(2, 3, 4)).children
  expect(pairsOf(desired.children[0] as Draft, known as Draft)).toEqual([
    ['3', '103'],
    ['4', '104'],
  ])
  // The compared values stay those of the destination, so the old label is written back.
  expect(known?.children[0]?.compare).toEqual({ label: 'Tiny' })
})

test('C2: a variant gets the name of its values back with them, and its other fields stay as they are', () => {
  const desired = product(1, [option(2, 'Size', [value(3, 'Small')]), variant(5, 'Small', 1)])
  const existing = product(101, [option(102, 'Size', [value(103, 'Tiny')]), variant(105, 'Tiny', 2)])
  const [, known] = underOwnKeys(desired, existing, copies(2, 3, 5)).children
  expect(known).toEqual({ ...variant(105, 'Small', 2), body: variant(105, 'Tiny', 2).body })
})

test('C2: a variant keeps the name of its values when they do, because the copy of its value is not known', () => {
  const desired = product(1, [option(2, 'Size', [value(3, 'Small')]), variant(5, 'Small', 1)])
  const existing = product(101, [option(102, 'Size', [value(103, 'Tiny')]), variant(105, 'Tiny', 2)])
  const [, known] = underOwnKeys(desired, existing, copies(2, 5)).children
  expect(known).toEqual(variant(105, 'Tiny', 2))
})

test('C2: a child that has the key itself is a stronger match than an id', () => {
  const desired = product(1, [option(2, 'Size', [])])
  const existing = product(101, [option(102, 'Length', []), option(109, 'Size', [])])
  const known = underOwnKeys(desired, existing, copies(2))
  expect(known.children.map(({ id, keys }) => [id, keys[0]])).toEqual([
    ['102', 'option:length'],
    ['109', 'option:size'],
  ])
})

test('C2: a child that was not copied, or has no keys, stays as it is', () => {
  const image = (id: number, file: string) => draft('product-images', id, { file })
  const desired = product(1, [image(6, 'a.png'), option(2, 'Size', [])])
  const existing = product(101, [image(106, 'b.png'), option(102, 'Length', [])])
  expect(underOwnKeys(desired, existing, copies(6)).children).toEqual(existing.children)
})

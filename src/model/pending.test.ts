import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatPending,
  isKind,
  linkPrefix,
  namedItems,
  type Pending,
  parsePending,
  pendingAddress,
  pendingChildren,
  pendingOwnKind,
  pendingPicture,
  referencePrefix,
} from './pending.ts'

const anyComponent = fc.constantFrom('brands', 'categories', 'product-variants')
/** Ids of the platform are numbers and UUIDs; a colon in an id must not cut it short. */
const anyId = fc.oneof(fc.nat().map(String), fc.uuid(), fc.string())
const anyPending: fc.Arbitrary<Pending> = fc.oneof(
  fc.record({ kind: fc.constantFrom('reference', 'link'), component: anyComponent, sourceId: anyId }),
  fc.record({ kind: fc.constant('moved' as const), path: fc.webPath() }),
  fc.record({ kind: fc.constantFrom('children', 'own-kind', 'picture', 'address') }),
)

describe('what a copy lacks', () => {
  test('is read as it was written', () => {
    fc.assert(
      fc.property(anyPending, (pending) => {
        expect(parsePending(formatPending(pending))).toEqual(pending)
      }),
    )
  })

  test('is written as it was read', () => {
    fc.assert(
      fc.property(anyPending.map(formatPending), (text) => {
        expect(formatPending(parsePending(text))).toBe(text)
      }),
    )
  })

  test('C1: is stored in words that later versions must go on reading', () => {
    expect(formatPending({ kind: 'reference', component: 'brands', sourceId: '7' })).toBe('reference:brands:7')
    expect(formatPending({ kind: 'link', component: 'products', sourceId: '5' })).toBe('link:products:5')
    expect(formatPending({ kind: 'moved', path: '/shoes/' })).toBe('moved:/shoes/')
    expect([pendingChildren, pendingOwnKind, pendingPicture, pendingAddress]).toEqual([
      'children',
      'own-kind',
      'picture',
      'address',
    ])
  })

  test('is nothing else', () => {
    expect(() => parsePending('brands:7')).toThrow('"brands:7" is not something that an item can lack.')
  })

  test('names other items by references and by links', () => {
    const texts = ['reference:brands:7', 'link:products:5', 'children', 'moved:/shoes/']
    expect(namedItems(texts, 'reference')).toEqual([{ component: 'brands', sourceId: '7' }])
    expect(namedItems(texts, 'reference', 'link')).toHaveLength(2)
    expect(texts.filter((text) => isKind(text, 'link', 'children'))).toEqual(['link:products:5', 'children'])
  })

  test('is found in queries by how it begins', () => {
    expect('reference:brands:7'.startsWith(referencePrefix('brands'))).toBe(true)
    expect('reference:brands-other:7'.startsWith(referencePrefix('brands'))).toBe(false)
    expect('link:products:5'.startsWith(linkPrefix)).toBe(true)
  })
})

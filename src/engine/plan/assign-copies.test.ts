import { expect, test } from 'vitest'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import { viewOf, viewTag } from '../core/storefront-view.ts'
import { pendingElsewhere, pendingHere } from './assign-copies.ts'

const mapping = (component: string, sourceId: string, owed: string[] = []): Mapping => ({
  scope: 'store',
  component,
  sourceId,
  destinationId: `9${sourceId}`,
  origin: 'created',
  owed,
  draftChecksum: null,
  destinationChecksum: null,
  runId: 'a run',
})
/** A product that lacks a brand that exists by now, a category that does not, and one of another storefront only. */
const incomplete = mapping('products', '1', [
  'reference:brands:7',
  'reference:categories:4',
  'reference:categories:5',
  'children',
])
const resolved = { known: new Map([['brands:7', mapping('brands', '7')]]), missing: ['reference:categories:4'] }
const pair = { run: { sourceStorefront: '1' } }
const wholeStore = { run: { sourceStorefront: null } }

test('C1: a reference to something that the storefront of this run does not have stays pending', () => {
  expect(pendingElsewhere(pair, incomplete, resolved)).toEqual(['reference:categories:5'])
  expect(pendingHere(pair, incomplete, resolved).owed).toEqual([
    'reference:brands:7',
    'reference:categories:4',
    'children',
  ])
})

test('C1: a run over the whole store sees every pending reference, and so does one over a new item', () => {
  expect(pendingElsewhere(wholeStore, incomplete, resolved)).toEqual([])
  expect(pendingHere(wholeStore, incomplete, resolved)).toBe(incomplete)
  expect(pendingElsewhere(pair, undefined, resolved)).toEqual([])
})

test('D3: a checksum shows which view of the item it belongs to', () => {
  const views = [
    { source: null, destination: null },
    { source: '1', destination: '1' },
    { source: '1', destination: '2' },
  ].map(viewTag)
  expect(new Set(views).size).toBe(3)
  for (const view of views) expect(viewOf(`${view}1:abc`)).toBe(view)
})

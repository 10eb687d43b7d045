import { expect, test } from 'vitest'
import { entities } from './registry.ts'
import { accessProbes, panelScopes, sharedScopes } from './token-scopes.ts'

test('every scope that a copy needs has its name in the control panel, and no other is asked for', () => {
  const needed = [...sharedScopes, ...entities.flatMap(({ scopes = [] }) => scopes)].map(({ scope }) => scope)
  expect(panelScopes.map(({ write }) => write).toSorted()).toEqual([...new Set(needed)].toSorted())
})

test('connecting a store asks about every scope but those that no call can tell', () => {
  const asked = new Set(accessProbes.map(({ scope }) => scope))
  const silent = panelScopes.filter(({ read }) => !asked.has(read)).map(({ name }) => name)
  // The first call needs the information scope; without the checkout scope, its scripts are silently left out of the
  // list.
  expect(silent).toEqual(['Checkout content', 'Information & settings'])
})

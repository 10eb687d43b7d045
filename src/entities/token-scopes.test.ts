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
  // The first call that every run makes already needs the information scope. Without the checkout scope, the list just
  // leaves out checkout scripts.
  expect(silent).toEqual(['Checkout content', 'Information & settings'])
})

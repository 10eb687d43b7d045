import { expect, test } from 'vitest'
import { modes } from '../src/contract/modes.ts'
import { roles } from '../src/contract/permissions.ts'
import { allowedControls, controls, migrationStatuses } from '../src/contract/status.ts'
import { migrationActions, type Situation, whyNot } from './allowed.ts'

const usual: Situation = { status: 'in_progress', mode: 'full', role: 'operator', requested: 'none', isOnline: true }

test('a control is on exactly where the service accepts it, for every status', () => {
  for (const status of migrationStatuses) {
    const on = controls.filter((control) => whyNot(control, { ...usual, status }) === undefined)
    expect([status, on]).toEqual([status, allowedControls(status)])
  }
})

test('every action that is off says why, for every status, mode, role and request', () => {
  for (const status of migrationStatuses)
    for (const mode of modes)
      for (const role of roles)
        for (const requested of ['none', 'pause', 'cancel'] as const)
          for (const action of migrationActions) {
            const reason = whyNot(action, { status, mode, role, requested, isOnline: true })
            if (role === 'viewer') expect(reason).toBe('Viewers cannot control migrations.')
            else if (reason !== undefined) expect(reason).toMatch(/^[A-Z][^_]+\.$/)
          }
})

test.each([
  ['pause', { requested: 'pause' }, 'It is being paused.'],
  ['pause', { requested: 'cancel' }, 'It is being canceled.'],
  ['pause', { isOnline: false }, 'You are offline.'],
  ['pause', { status: 'paused' }, 'It is paused.'],
  ['resume', {}, 'It is running.'],
  ['resume', { status: 'completed' }, 'It has ended.'],
  ['cancel', { status: 'cancelled' }, 'It has ended.'],
  ['heal', { status: 'completed' }, 'Nothing needs review.'],
  ['heal', { status: 'partial_completed', mode: 'dry-run' }, 'Only a copy has items to try again.'],
  ['verify', {}, 'Available when copying has ended.'],
  ['verify', { status: 'completed', mode: 'counts' }, 'Only a copy can be compared.'],
  ['verify', { status: 'completed' }, undefined],
] as const)('%s of %j: %s', (action, given, reason) => {
  expect(whyNot(action, { ...usual, ...given })).toBe(reason)
})

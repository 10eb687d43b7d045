import { expect, test } from 'vitest'
import { roles } from '../src/contract/accounts/permissions.ts'
import { modes } from '../src/contract/modes.ts'
import { allowedControls, controls, migrationStatuses } from '../src/contract/status.ts'
import {
  isActionable,
  migrationActions,
  type Situation,
  whyNot,
  whyNotCopyItem,
  whyNotDelete,
  whyNotLink,
  whyNotMember,
  whyNotNotify,
  whyNotReopen,
  whyNotSee,
  whyNotSign,
} from './allowed.ts'

const onlyLooks = 'Viewers cannot start, change or sign migrations. Ask an owner or operator.'
const usual: Situation = { status: 'in_progress', mode: 'full', role: 'operator', requested: 'none', isOnline: true }

test('a control is on exactly where the service accepts it, for every status', () => {
  for (const status of migrationStatuses) {
    const on = controls.filter((control) => whyNot(control, { ...usual, status }) === undefined)
    const accepted = allowedControls(status)
    // There, resuming a copy is the same as trying its failed items again.
    const once = status === 'partial_completed' ? accepted.filter((control) => control !== 'resume') : accepted
    expect([status, on]).toEqual([status, once])
  }
  expect(whyNot('resume', { ...usual, status: 'partial_completed', mode: 'verify' })).toBeUndefined()
})

test('every action that is off says why, for every status, mode, role and request', () => {
  for (const status of migrationStatuses)
    for (const mode of modes)
      for (const role of roles)
        for (const requested of ['none', 'pause', 'cancel'] as const)
          for (const action of migrationActions) {
            const reason = whyNot(action, { status, mode, role, requested, isOnline: true })
            if (role === 'viewer') expect(reason).toBe(onlyLooks)
            else if (reason !== undefined) expect(reason).toMatch(/^[A-Z][^_]+\.$/)
          }
})

test('nothing can be done to what has ended, unless it is a copy to compare or has items to try again', () => {
  const nothing = migrationStatuses.flatMap((status) =>
    modes.filter((mode) => !isActionable({ status, mode })).map((mode) => `${mode} ${status}`),
  )
  const others = modes.filter((mode) => mode !== 'full')
  const ended = ['completed', 'failed', 'cancelled'] as const
  expect(nothing.filter((one) => !one.startsWith('full')).sort()).toEqual(
    ended.flatMap((status) => others.map((mode) => `${mode} ${status}`)).sort(),
  )
  expect(isActionable({ status: 'completed', mode: 'full' })).toBe(true)
})

test('of a running copy, and of what is no copy, trying again and comparing are off for one and the same reason', () => {
  for (const given of [{}, { status: 'paused' }, { status: 'completed', mode: 'dry-run' }] as const) {
    const reason = whyNot('verify', { ...usual, ...given })
    expect(reason).toBeDefined()
    expect(whyNot('heal', { ...usual, ...given })).toBe(reason)
  }
})

test.each([
  ['pause', { requested: 'pause' }, 'It is being paused.'],
  ['pause', { requested: 'cancel' }, 'It is being canceled.'],
  ['pause', { isOnline: false }, 'You are offline.'],
  ['pause', { status: 'paused' }, 'It is paused.'],
  ['resume', {}, 'It is running.'],
  ['resume', { status: 'queued' }, 'It is waiting for its turn.'],
  ['resume', { status: 'completed' }, 'It has ended.'],
  ['cancel', { status: 'cancelled' }, 'It has ended.'],
  ['heal', { status: 'completed' }, 'Nothing needs review.'],
  ['heal', { status: 'cancelled' }, 'It did not run to its end. Run it again instead.'],
  ['heal', { status: 'failed' }, 'It did not run to its end. Run it again instead.'],
  ['heal', { status: 'partial_completed', mode: 'dry-run' }, 'Only for a copy.'],
  ['verify', {}, 'Available when copying has ended.'],
  ['verify', { status: 'completed', mode: 'counts' }, 'Only for a copy.'],
  ['verify', { status: 'completed' }, undefined],
] as const)('%s of %j: %s', (action, given, reason) => {
  expect(whyNot(action, { ...usual, ...given })).toBe(reason)
})

const askers = roles.map((role) => ({ role, owners: ['Olive Reed'], isOnline: true }))

test('owners and operators see notifications, only owners change them, and the others read whom to ask', () => {
  for (const asker of askers) {
    const { role } = asker
    const viewers = 'Viewers cannot see notifications. Ask an owner or operator.'
    expect(whyNotSee('list-webhooks', asker)).toBe(role === 'viewer' ? viewers : undefined)
    const others = 'Only owners change notifications: Olive Reed.'
    expect(whyNotNotify(asker)).toBe(role === 'owner' ? undefined : others)
    expect(whyNotNotify({ ...asker, role: 'owner', isOnline: false })).toBe('You are offline.')
  }
})

test('only an owner sees and changes members; the others read whom to ask', () => {
  for (const asker of askers) {
    const isOwner = asker.role === 'owner'
    expect(whyNotSee('list-members', asker)).toBe(isOwner ? undefined : 'Only owners see members: Olive Reed.')
    for (const action of ['change-member', 'invite-member', 'create-reset-link', 'remove-member'] as const) {
      const reason = whyNotMember(action, { ...asker, isSelf: false, isLastOwner: false, resetBy: 'owner' })
      expect(reason).toEqual(isOwner ? undefined : expect.stringMatching(/^Only owners [a-z ]+: Olive Reed\.$/))
    }
  }
})

test.each([
  ['remove-member', { isLastOwner: true }, 'An organization needs an owner who can sign in.'],
  ['change-member', { isLastOwner: true }, 'An organization needs an owner who can sign in.'],
  ['create-reset-link', { isLastOwner: true }, undefined],
  ['create-reset-link', { isSelf: true }, 'Change your own password in your profile.'],
  [
    'create-reset-link',
    { resetBy: 'administrator' },
    'Belongs to more than this organization. Ask the people who run this service.',
  ],
  [
    'invite-member',
    { resetBy: 'administrator' },
    'Belongs to more than this organization. Ask the people who run this service.',
  ],
  ['remove-member', { resetBy: 'administrator' }, undefined],
  ['remove-member', { isOnline: false }, 'You are offline.'],
] as const)('for an owner, %s with %j: %s', (action, given, reason) => {
  const usual = { role: 'owner', owners: [], isOnline: true, isSelf: false, isLastOwner: false } as const
  expect(whyNotMember(action, { ...usual, resetBy: 'owner', ...given })).toBe(reason)
})

test('an administrator makes a link to a new password for anybody else', () => {
  expect(whyNotLink({ isOnline: true, isSelf: false })).toBeUndefined()
  expect(whyNotLink({ isOnline: true, isSelf: true })).toBe('Change your own password in your profile.')
  expect(whyNotLink({ isOnline: false, isSelf: false })).toBe('You are offline.')
})

test('one item is copied by who starts migrations, and where a copy would change it', () => {
  const asker = { role: 'operator', owners: [], isOnline: true } as const
  expect(whyNotCopyItem(asker, true)).toBeUndefined()
  expect(whyNotCopyItem(asker, false)).toBe('“Copy this item” is off where a copy would leave the item as it is.')
  expect(whyNotCopyItem({ ...asker, role: 'viewer' }, true)).toBe(onlyLooks)
})

test('what was accepted is reopened by who accepts, and until the migration is done', () => {
  const asker = { role: 'operator', owners: [], isOnline: true } as const
  expect(whyNotReopen(asker, 'partial_completed')).toBeUndefined()
  expect(whyNotReopen(asker, 'completed')).toBe('It is done, and that is final. Compare the two stores, or copy again.')
  expect(whyNotReopen({ ...asker, isOnline: false }, 'failed')).toBe('You are offline.')
  expect(whyNotReopen({ ...asker, role: 'viewer' }, 'failed')).toBe(onlyLooks)
})

test('only an owner confirms a deletion, and whom to ask is named', () => {
  const asker = { owners: ['Olive Reed', 'Hal Dent'], isOnline: true }
  expect(whyNotDelete({ ...asker, role: 'owner' })).toBeUndefined()
  for (const role of ['operator', 'viewer'] as const)
    expect(whyNotDelete({ ...asker, role })).toBe('Only an owner can allow this: Olive Reed, Hal Dent.')
  expect(whyNotDelete({ role: 'operator', owners: [], isOnline: true })).toBe('Only an owner can allow this.')
})

test('a copy is signed by who controls migrations, and after a comparison', () => {
  const asker = { role: 'operator', owners: [], isOnline: true } as const
  expect(whyNotSign(asker, true)).toBeUndefined()
  expect(whyNotSign(asker, false)).toBe('Compare first, so that there is something to sign.')
  expect(whyNotSign({ ...asker, isOnline: false }, true)).toBe('You are offline.')
  expect(whyNotSign({ ...asker, role: 'viewer' }, true)).toBe(onlyLooks)
})

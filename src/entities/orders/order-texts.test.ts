import { expect, test } from 'vitest'
import { identity } from '../core/references.ts'
import { desiredLine } from './order-lines.ts'
import { notesOfCopy } from './order-notes.ts'

/** From one of the two lengths on, a cut goes through the middle of an emoji. */
const lengths = [0, 1]

test.each(lengths)('a line that is too long with its choices is cut between characters (%i)', (length) => {
  const name = 'x'.repeat(length)
  const options = [{ display_name: 'Engraving', display_value: '🎁'.repeat(200), value: 'entered' }]
  const { name_merchant } = desiredLine({ name, quantity: 1, product_options: options }, identity)
  expect(String(name_merchant).isWellFormed()).toBe(true)
  expect(String(name_merchant).length).toBeGreaterThan(248)
})

test.each(lengths)('staff notes that are too long for a copy are cut between characters (%i)', (length) => {
  const staff_notes = 'x'.repeat(length) + '🎁'.repeat(40_000)
  const notes = notesOfCopy({ id: 1, staff_notes }, { hasItems: true, addresses: undefined })
  expect(notes.isWellFormed()).toBe(true)
})

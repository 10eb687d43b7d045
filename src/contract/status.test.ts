import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allowedControls, allowedFrom, controls, isLive, mayBecome, migrationStatuses, transitions } from './status.ts'

/** The table of transitions, repeated independently of the code. */
const arrows = [
  'queued in_progress',
  'in_progress paused',
  'queued paused',
  'paused queued',
  'partial_completed queued',
  'queued cancelled',
  'in_progress cancelled',
  'paused cancelled',
  'partial_completed cancelled',
  'in_progress completed',
  'in_progress partial_completed',
  'partial_completed completed',
  'queued failed',
  'in_progress failed',
]
const anyStatus = fc.constantFrom(...migrationStatuses)
const terminal = ['completed', 'failed', 'cancelled'] as const

test('a status changes only along an arrow of the table', () => {
  fc.assert(
    fc.property(anyStatus, anyStatus, (from, to) => {
      expect(mayBecome(from, to)).toBe(arrows.includes(`${from} ${to}`))
    }),
  )
})

test('no arrow leaves a terminal status', () => {
  fc.assert(
    fc.property(fc.array(anyStatus, { maxLength: 30 }), (wishes) => {
      let status: (typeof migrationStatuses)[number] = 'queued'
      let ended: string | undefined
      for (const wish of wishes) {
        if (mayBecome(status, wish)) status = wish
        if (ended !== undefined) expect(status).toBe(ended)
        if (terminal.some((one) => one === status)) ended = status
      }
    }),
  )
})

test('every status is reachable from the first, and every other one can reach a terminal status', () => {
  const reached = new Set<string>(['queued'])
  for (let before = 0; before < reached.size; ) {
    before = reached.size
    for (const from of migrationStatuses) if (reached.has(from)) for (const { to } of transitions[from]) reached.add(to)
  }
  expect([...reached].sort()).toEqual([...migrationStatuses].sort())
  for (const status of migrationStatuses)
    if (!terminal.some((one) => one === status)) expect(mayBecome(status, 'cancelled')).toBe(true)
})

test('every arrow has a reason', () => {
  for (const from of migrationStatuses) for (const { when } of transitions[from]) expect(when).toMatch(/^\w.{4,}/)
})

test('a control is offered exactly where it is accepted, and never in a terminal status', () => {
  fc.assert(
    fc.property(anyStatus, fc.constantFrom(...controls), (status, control) => {
      expect(allowedControls(status).includes(control)).toBe(allowedFrom[control].includes(status))
      if (terminal.some((one) => one === status)) expect(allowedControls(status)).toEqual([])
    }),
  )
})

test('a status that the engine answers for is not terminal', () => {
  for (const status of terminal) expect(isLive(status)).toBe(false)
})

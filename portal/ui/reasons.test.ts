import { createElement, Fragment, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { NamedReasons, SayAnew, SayOnce, useWhys } from './reasons.tsx'

const reason = 'It is running.'

/** A control with the reason beside it. */
function Row({ why }: { why: string }) {
  const { idOf, notes } = useWhys([why, why])
  return createElement('div', { 'aria-describedby': idOf(why) }, notes)
}

/** A list that says the reason above its rows. */
function List({ rows }: { rows: ReactNode }) {
  return SayOnce({ reasons: [reason, undefined, reason], children: rows })
}

const row = (why = reason) => createElement(Row, { why })
const htmlOf = (...children: ReactNode[]) => renderToStaticMarkup(createElement('main', null, ...children))
const describedBy = (html: string) => [...html.matchAll(/aria-describedby="([^"]+)"/g)].map(([, id]) => id)
const idsOf = (html: string, said: string) =>
  [...html.matchAll(/<p id="([^"]+)" class="why">([^<]+)/g)].filter(([, , words]) => words === said).map(([, id]) => id)

test('a reason is said once above the rows, and every control in them refers to it', () => {
  const html = htmlOf(createElement(List, { rows: createElement(Fragment, null, row(), row()) }))
  const [id, ...others] = idsOf(html, reason)
  expect(others).toEqual([])
  expect(describedBy(html)).toEqual([id, id])
})

test('a reason that is not said around is said at its control, and so is every one in a dialog', () => {
  const other = 'It has ended.'
  const alone = htmlOf(row(), row())
  expect(idsOf(alone, reason)).toEqual(describedBy(alone))
  expect(new Set(describedBy(alone)).size).toBe(2)
  const inDialog = createElement(SayAnew, null, row())
  const html = htmlOf(createElement(List, { rows: createElement(Fragment, null, row(other), inDialog) }))
  expect(idsOf(html, other)).toHaveLength(1)
  expect(idsOf(html, reason)).toHaveLength(2)
})

test('below several controls, a reason names those that it is about, unless it is about all of them', () => {
  const listOf = (off: [string, string | undefined][]) =>
    htmlOf(createElement(NamedReasons, { own: [{ reason, id: 'a' }], off: new Map(off) })).replaceAll(/<[^>]+>/g, '')
  expect(
    listOf([
      ['Pause', undefined],
      ['Resume', reason],
      ['Compare', reason],
    ]),
  ).toBe(`Resume, Compare: ${reason}`)
  expect(
    listOf([
      ['Pause', reason],
      ['Resume', reason],
    ]),
  ).toBe(reason)
})

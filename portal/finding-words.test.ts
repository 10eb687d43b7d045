import { expect, test } from 'vitest'
import { runActions } from '../src/contract/accounts/audit-actions.ts'
import {
  healedRemedy,
  issueRemedies,
  noResponseRemedy,
  notAllowedRemedy,
  planLimitRemedy,
  takenRemedy,
} from '../src/contract/issue-codes.ts'
import type { Issue } from './data/queries.ts'
import {
  causeWords,
  controlEvents,
  deletionReasonWords,
  events,
  eventWord,
  pendingWords,
  plainly,
  remedyOf,
  ruleWords,
} from './finding-words.ts'

const engineWords =
  /dry.run|verify|prune|\bheal|mapping|entit(y|ies)|\bphase|cancelled|organisation|dismiss|before-image|`/i

test('no cause, remedy, rule or event is in words of the engine', () => {
  const remedies = Object.entries(issueRemedies).map(([code, remedy]) =>
    remedyOf({ code: code as Issue['code'], remedy, state: 'open' }),
  )
  for (const words of [causeWords, ruleWords, controlEvents, events, deletionReasonWords].flatMap((table) =>
    Object.values(table),
  ))
    expect(words).not.toMatch(engineWords)
  for (const remedy of remedies) expect(remedy).not.toMatch(engineWords)
})

test('the activity has words for whatever a person asks of a migration', () => {
  const actions = [...runActions.filter((action) => action !== 'migration.create'), 'migration.read']
  const events = actions.map((action) => action.replace('migration.', 'asked_to_'))
  for (const event of events) expect(eventWord(event)).not.toBe(event)
})

test('a remedy that is about the source itself keeps its sentence', () => {
  const remedy = 'Correct the item there and run again, or dismiss this.'
  expect(remedyOf({ code: 'missing_reference', remedy, state: 'open' })).toBe(
    'Correct the item there and run again, or accept it as it is.',
  )
})

test('a refusal for which the item is not to blame keeps what can be done about it', () => {
  for (const remedy of [notAllowedRemedy, planLimitRemedy, takenRemedy])
    expect(remedyOf({ code: 'platform_refused', remedy, state: 'open' })).toBe(plainly(remedy))
  expect(remedyOf({ code: 'platform_refused', remedy: noResponseRemedy, state: 'open' })).toBe(
    'The store failed or did not answer. Try again later; if it happens again, simplify the item in the source store.',
  )
})

test('what stays behind keeps its own remedy, in which settings are called as on their screen', () => {
  const remedy = 'Copy both folders to the destination by WebDAV.'
  expect(remedyOf({ code: 'not_copied', remedy, state: 'open' })).toBe(remedy)
  expect(remedyOf({ code: 'not_copied', remedy: 'Turn on `customerConsent`.', state: 'open' })).toBe(
    'Turn on “Tracking consent of customers”.',
  )
})

test('a solved issue says that there is nothing to do, whatever its cause was', () => {
  for (const code of Object.keys(issueRemedies) as Issue['code'][])
    expect(remedyOf({ code, remedy: healedRemedy, state: 'healed' })).toBe(healedRemedy)
})

test('settings are called as on their own screen, and what is not a setting stays', () => {
  expect(plainly('Copied only with `customerConsent`, not with `robots`.')).toBe(
    'Copied only with “Tracking consent of customers”, not with `robots`.',
  )
  expect(plainly('themes, unless a run asks for them (`themes`)')).not.toContain('`')
})

test.each([
  ['reference:brands:12', 'brands 12'],
  ['link:pages:a:b', 'pages a:b'],
  ['children', 'its parts'],
  ['picture', 'its picture'],
])('%s is still to come: %s', (pending, words) => {
  expect(pendingWords(pending, (part) => part.toUpperCase())).toBe(words)
})

import { expect, test } from 'vitest'
import { parseStoreJson, wholeText } from './store-text.ts'

test('whole characters are kept, escaped or not', () => {
  expect(parseStoreJson('{"name":"\\ud83d\\ude00 \u{1f600} \\u00e9","n":[1,null,true]}')).toEqual({
    name: '\u{1f600} \u{1f600} \u00e9',
    n: [1, null, true],
  })
})

test.each([
  ['the first half of a pair', '"cut \\ud83d"', 'cut \ufffd'],
  ['the second half', '"\\uDE00 cut"', '\ufffd cut'],
  ['two first halves', '"\\ud83d\\ud83d\\ude00"', '\ufffd\u{1f600}'],
  ['NUL', '"a\\u0000b"', 'ab'],
  ['text that only looks like half a pair', '"C:\\\\ud83d"', 'C:\\ud83d'],
])('%s in a text', (_title, json, read) => {
  expect(parseStoreJson(json)).toBe(read)
  expect(parseStoreJson(`{"deep":[{"text":${json}}]}`)).toEqual({ deep: [{ text: read }] })
})

test('half a pair in the name of a field', () => {
  expect(parseStoreJson('{"\\ud83d":1,"other":2}')).toEqual({ '\ufffd': 1, other: 2 })
})

test('text that is not JSON is a SyntaxError', () => {
  expect(() => parseStoreJson('{"a":')).toThrow(SyntaxError)
  expect(() => parseStoreJson('{"a":"\\ud83d"')).toThrow(SyntaxError)
})

test('a text cut inside a pair ends in the replacement character', () => {
  expect(wholeText('\u{1f600}'.slice(0, 1))).toBe('\ufffd')
})

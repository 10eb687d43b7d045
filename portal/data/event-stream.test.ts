import { expect, test } from 'vitest'
import { createEventParser } from './event-stream.ts'

const stream =
  ':\n\nid: a1\nevent: migration\ndata: {"percent":1}\n\n:\n\nid: b2\nevent: end\ndata: {"status":"completed"}\n\n'
const events = [
  { id: 'a1', event: 'migration', data: '{"percent":1}' },
  { id: 'b2', event: 'end', data: '{"status":"completed"}' },
]

test('a stream is the same events wherever it was cut, and a sign of life is none', () => {
  for (let size = 1; size <= stream.length; size += 1) {
    const parse = createEventParser()
    const found = []
    for (let at = 0; at < stream.length; at += size) found.push(...parse(stream.slice(at, at + size)))
    expect(found).toEqual(events)
  }
})

test('an event that has not ended is kept back', () => {
  const parse = createEventParser()
  expect(parse('id: a1\nevent: migration\ndata: {"percent":1}\n')).toEqual([])
  expect(parse('\n')).toEqual([events[0]])
})

/** One server-sent event, with its fields as received. */
export interface StreamEvent {
  id: string
  event: string
  data: string
}

/**
 * Splits a stream of text into events, wherever the network cut it.
 * Source: HTML, 9.2.6 "Interpreting an event stream". Comments only keep the connection alive, and produce no event.
 */
export function createEventParser(): (text: string) => StreamEvent[] {
  let rest = ''
  return (text) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.map(parseBlock).filter((event) => event.data !== '')
  }
}

function parseBlock(block: string): StreamEvent {
  const event: StreamEvent = { id: '', event: 'message', data: '' }
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(id|event|data): ?(.*)$/.exec(line) ?? []
    if (field === 'id') event.id = value
    if (field === 'event') event.event = value
    if (field === 'data') event.data += value
  }
  return event
}

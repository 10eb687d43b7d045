import { StoreFileError } from './store-file-error.ts'

/**
 * Large enough for a row with a picture of 8 MB in base64. Without a limit, a file without line breaks could fill the
 * memory.
 */
const MOST_LINE_BYTES = 64 * 1024 * 1024

const LINE_END = 0x0a

export interface Line {
  /** Counted from 1. */
  line: number
  text: string
}

/**
 * Splits a byte stream into lines, one batch per chunk. Node's own line reader also splits at U+2028, which JSON does
 * not escape.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Line[]> {
  let line = 1
  let begun: Buffer[] = []
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk)
    const lines: Line[] = []
    let from = 0
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, from)) {
      lines.push({ line: line++, text: textOf([...begun, bytes.subarray(from, end)]) })
      begun = []
      from = end + 1
    }
    begun.push(bytes.subarray(from))
    const waiting = begun.reduce((sum, part) => sum + part.length, 0)
    if (waiting > MOST_LINE_BYTES) throw new StoreFileError(400, `Line ${line} has more than ${MOST_LINE_BYTES} bytes`)
    yield lines
  }
  const rest = textOf(begun)
  if (rest !== '') yield [{ line, text: rest }]
}

function textOf(parts: Buffer[]): string {
  return (parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)).toString('utf8')
}

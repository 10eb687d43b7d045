import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { type AnsweredCall, pathTemplate, shapeOf, titleShape } from './answer-shape.ts'

/**
 * Records the shape of the first answer of each operation and status, and of each refusal with a different title, in a
 * file each. If the folder is not writable, only the record is lost.
 */
export function recordAnswers(directory: string, clock: Clock): (call: AnsweredCall) => void {
  const known = new Set<string>()
  return (call) => {
    const { method, httpStatus } = call
    const path = pathTemplate(call.path)
    const title = titleShape(call)
    const digest = title === '' ? '' : `-${createHash('sha256').update(title).digest('hex').slice(0, 8)}`
    const name = `${method}${path.replaceAll('/', '_').replace(/[{}]/g, '')}-${httpStatus}${digest}.json`
    if (known.has(name)) return
    known.add(name)
    const text = `${JSON.stringify({ class: 'recorded', date: clock.now().toISOString().slice(0, 10), ...shapeOf(call) }, null, 2)}\n`
    void keep(join(directory, name), text)
  }
}

async function keep(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx' })
  } catch {
    // Another process has recorded it, or the folder is not writable.
  }
}

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** Once per test run: counts the answers of the API that were checked against openapi.json, and prints the sum at the end. */
export default async function countAnswers(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'storeferry-answers-'))
  const file = join(folder, 'counts')
  await writeFile(file, '')
  project.provide('answerCounts', file)
  return async () => {
    const counts = (await readFile(file, 'utf8')).split('\n').map(Number)
    await rm(folder, { recursive: true })
    const total = counts.reduce((sum, count) => sum + count, 0)
    if (total > 0) console.log(`${total} answers of the API were as openapi.json describes them`)
  }
}

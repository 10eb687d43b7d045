import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { pending } from './pending.ts'
import { type Claim, claimsOf, readSpecification } from './read-specification.ts'

const claims = await readSpecification()
const here = new URL('./', import.meta.url)
const fileOf = (section: string) => `${section.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.test.ts`
/** Has what the sentences of any section say of the portal. */
const inThePortal = 'in-the-portal.test.ts'

/** Whether a file of the section has the sentence for a title. */
async function untested(of: Claim[]): Promise<Claim[]> {
  const files = new Set(await readdir(here))
  const texts = new Map<string, string>()
  for (const name of new Set([inThePortal, ...of.map(({ section }) => fileOf(section))])) {
    const text = files.has(name) ? await readFile(new URL(name, here), 'utf8') : ''
    texts.set(name, text.replaceAll('\\', ''))
  }
  const has = (name: string, sentence: string) => texts.get(name)?.includes(sentence) ?? false
  return of.filter(({ section, sentence }) => !has(fileOf(section), sentence) && !has(inThePortal, sentence))
}

const listed = ({ section, sentence }: Claim) => pending[section]?.[sentence] !== undefined

test('a specification is read by its sentences and by the rows of its tables', () => {
  const text =
    '# S\n\n## One\n\nIt is. It `does`. This: not shown.\n\n1. A list. `b` too.\n\n| F | T |\n|---|---|\n| a | b |\n| c | |\n'
  expect(claimsOf(text).map(({ sentence }) => sentence)).toEqual([
    'It is.',
    'It `does`.',
    'A list.',
    '`b` too.',
    'a | b',
    'c',
  ])
})

test.skipIf(!claims)(
  claims
    ? 'every sentence of the specification is the title of a test, or stands in pending.ts with what it waits for'
    : 'the specification is not beside the repository (../shared/spec.md), so its sentences are not looked for',
  async () => {
    const missing = (await untested(claims ?? [])).filter((claim) => !listed(claim))
    expect(missing.map(({ section, sentence }) => `${section}: ${sentence}`)).toEqual([])
    expect(claims?.length).toBeGreaterThan(150)
  },
)

test.skipIf(!claims)('nothing is pending that is tested, or that the specification does not say', async () => {
  const open = new Set((await untested(claims ?? [])).map(({ section, sentence }) => `${section}: ${sentence}`))
  const stale = Object.entries(pending).flatMap(([section, sentences]) =>
    Object.keys(sentences)
      .map((sentence) => `${section}: ${sentence}`)
      .filter((claim) => !open.has(claim)),
  )
  expect(stale).toEqual([])
})

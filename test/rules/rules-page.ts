import { readFile } from 'node:fs/promises'
import { root } from './numbered-titles.ts'

/** The entries of docs/rules.md by number, in their order: what stands below each heading that is a number. */
export async function rulesPage(): Promise<Map<string, string>> {
  const page = await readFile(`${root}/docs/rules.md`, 'utf8')
  const entries = page.split(/^### /m).slice(1)
  return new Map(
    entries.map((entry) => {
      const [heading = '', ...lines] = entry.split('\n')
      return [heading, lines.join('\n').split(/^## /m)[0]?.trim() ?? '']
    }),
  )
}

/** A paragraph of an entry that begins with such words, without them and without its full stop. */
export function paragraph(entry: string, beginning: string): string | undefined {
  const found = entry.split('\n\n').find((one) => one.startsWith(beginning))
  return found?.slice(beginning.length).replaceAll('\n', ' ').replace(/\.$/, '')
}

import { readFile } from 'node:fs/promises'

export interface Claim {
  /** The heading of the second level it stands under. */
  section: string
  /** A sentence, or the cells of a table's row with ` | ` between. */
  sentence: string
}

/** Beside the repository where it is being built; it is not part of it. */
const file = new URL('../../../shared/spec.md', import.meta.url)

/** @returns everything the specification claims, in its order; undefined where there is no specification to read. */
export async function readSpecification(): Promise<Claim[] | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : claimsOf(text)
}

/** Headings, heads of tables and what introduces a list claim nothing; "not shown" says what is not claimed. */
export function claimsOf(text: string): Claim[] {
  let section = ''
  const claims: Claim[] = []
  const lines = text.split('\n')
  for (const [at, line] of lines.entries()) {
    const heading = /^##? (.*)$/.exec(line)
    if (heading) section = heading[1] ?? ''
    else if (!/^#|^\s*$/.test(line) && !isRuler(line) && !isRuler(lines[at + 1] ?? '')) {
      const sentences = line.startsWith('|') ? [rowOf(line)] : sentencesOf(line.replace(/^\d+\. /, ''))
      claims.push(...sentences.filter(isClaim).map((sentence) => ({ section, sentence })))
    }
  }
  return claims
}

/** Of a table: below its head, which names the columns. */
const isRuler = (line: string) => /^\|[\s|-]+$/.test(line)

function rowOf(line: string): string {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' | ')
}

function sentencesOf(line: string): string[] {
  return line.split(/(?<=\.)\s+(?=[A-Z`])/).map((sentence) => sentence.trim())
}

/** What ends in a colon introduces what follows. */
function isClaim(sentence: string): boolean {
  return !/not shown/.test(sentence) && !/:$/.test(sentence)
}

export interface RetiredWord {
  word: string
  /** Where the word is refused: as part of an identifier, in prose, or in both. */
  where: ('names' | 'prose')[]
  instead: string
}

/** A name with a retired word in it that stays: in files whose path begins with one of `paths`, or everywhere. */
export interface KeptName {
  name: string
  paths: string[]
}

export interface Glossary {
  retired: RetiredWord[]
  kept: KeptName[]
}

/** Reads the tables below "Retired" and "Names that stay" of `docs/glossary.md`. */
export function readGlossary(markdown: string): Glossary {
  return {
    retired: rowsBelow(markdown, 'Retired').flatMap(([words = '', where = '', instead = '']) =>
      listOf(words.replace(/\([^)]*\)/g, '')).map((word) => ({ word, where: whereOf(where), instead })),
    ),
    kept: rowsBelow(markdown, 'Names that stay').flatMap(([, names = '', paths = '']) =>
      codeSpans(names).flatMap((name) => namesIn(name).map((each) => ({ name: each, paths: codeSpans(paths) }))),
    ),
  }
}

function rowsBelow(markdown: string, title: string): string[][] {
  const section = markdown.split(/^## /m).find((text) => text.startsWith(`${title}\n`))
  if (section === undefined) throw new Error(`The glossary has no section "${title}".`)
  return section
    .split('\n')
    .filter((line, index, lines) => line.startsWith('| ') && !line.startsWith('| ---') && !isHeading(lines, index))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
}

const isHeading = (lines: string[], index: number) => lines[index + 1]?.startsWith('| ---') === true

function whereOf(cell: string): RetiredWord['where'] {
  const where = listOf(cell).filter((each) => each === 'names' || each === 'prose')
  if (where.length === 0 && cell !== '-') throw new Error(`"${cell}" is neither names nor prose nor -.`)
  return where
}

const listOf = (cell: string) =>
  cell
    .split(/[,;]/)
    .map((each) => each.replaceAll('`', '').trim())
    .filter((each) => each !== '')

const codeSpans = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** `mappings.owed` and `…:met:side` are made of several names; a name with a space is one. */
const namesIn = (span: string) => (span.includes(' ') ? [span] : (span.match(/[\w$-]+/g) ?? []))

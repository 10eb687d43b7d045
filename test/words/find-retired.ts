import type { Glossary, RetiredWord } from './glossary.ts'
import { textPieces } from './text-pieces.ts'

export interface Find {
  path: string
  line: number
  /** The identifier or the words as written. */
  found: string
  instead: string
}

type Hit = Pick<Find, 'found' | 'instead'> & { index: number }

/** Makes the function that finds retired words in one file: in its names, its prose, and its path. */
export function createFinder({ retired, kept }: Glossary): (path: string, text: string) => Find[] {
  const findInProse = proseFinder(retired.filter(({ where }) => where.includes('prose')))
  const findInNames = nameFinder(retired.filter(({ where }) => where.includes('names')))

  return (path, text) => {
    const stays = new Set(
      kept
        .filter(({ paths }) => paths.length === 0 || paths.some((each) => path.startsWith(each)))
        .map(({ name }) => name),
    )
    const finds = findInNames(path, stays).map((hit) => ({ hit, offset: 0 }))
    for (const { kind, text: piece, start } of textPieces(path, text)) {
      const hits = kind === 'prose' ? findInProse(piece, stays) : findInNames(piece, stays)
      finds.push(...hits.map((hit) => ({ hit, offset: start + hit.index })))
    }
    const lineAt = lineCounter(text)
    return finds.map(({ hit: { found, instead }, offset }) => ({ path, line: lineAt(offset), found, instead }))
  }
}

function proseFinder(words: RetiredWord[]): (text: string, stays: Iterable<string>) => Hit[] {
  // A phrase may go on in the next line of a comment.
  const patterns = words.map(({ word }) => word.toLowerCase().split(/\s+/).join('[\\s*/]+'))
  const insteadOf = new Map(words.map(({ word, instead }) => [word.toLowerCase(), instead]))
  const pattern = new RegExp(`(?<![\\w-])(${patterns.join('|') || '(?!)'})(?![\\w-])`, 'gi')
  return (text, stays) =>
    [...without(text, stays).matchAll(pattern)].map(({ 0: match, index }) => {
      const found = match.replace(/[\s*/]+/g, ' ')
      return { found, index, instead: insteadOf.get(found.toLowerCase()) ?? '' }
    })
}

/** Blanks out the names of several words. One-word names stay in code only: `owed` is a column, "owed" is retired. */
function without(text: string, names: Iterable<string>): string {
  return [...names]
    .filter((name) => name.includes(' '))
    .reduce((rest, name) => rest.replaceAll(name, ' '.repeat(name.length)), text)
}

function nameFinder(words: RetiredWord[]): (text: string, stays: Set<string>) => Hit[] {
  const insteadOf = words.map(({ word, instead }) => ({ segments: ` ${segmentsOf(word)} `, instead }))
  return (text, stays) =>
    [...text.matchAll(/[A-Za-z_$][\w$-]*/g)].flatMap(({ 0: found, index }) => {
      if (stays.has(found)) return []
      const segments = ` ${segmentsOf(found)} `
      const refused = insteadOf.find((word) => segments.includes(word.segments))
      return refused ? [{ found, index, instead: refused.instead }] : []
    })
}

/** `isPair`, `is-pair` and `IS_PAIR` are all `is pair`. */
function segmentsOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_$-]+/g, ' ')
    .trim()
    .toLowerCase()
}

function lineCounter(text: string): (offset: number) => number {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index)
  return (offset) => ends.filter((end) => end < offset).length + 1
}

import { shorten } from './text-width.ts'

export interface ProgressParts {
  /** 0 to 100. */
  percent: number
  phase: string
  items: string
  rate: string
  left: string
}

const longestBar = 40
const shortestBar = 8
/** A shorter name of the phase would not be readable. */
const shortestPhase = 8

/**
 * One line that never wraps: the bar is shortened first, then the name of the phase, then the items. Rate and time
 * always stay.
 */
export function progressLine({ percent, phase, items, rate, left }: ProgressParts, width: number): string {
  const share = `${Math.floor(percent)}%`
  const always = [share, rate, left]
  for (const before of [[phase, items], [phase]]) {
    const others = [...always, ...before.slice(1)]
    const rest = width - shortestBar - lengthOf(others) - ' | '.length
    if (rest < Math.min(shortestPhase, phase.length)) continue
    const [name = '', ...more] = [shorten(phase, Math.min(phase.length, rest)), ...before.slice(1)]
    return withBar(percent, [share, name, ...more, rate, left], width)
  }
  return withBar(percent, always, width)
}

function withBar(percent: number, texts: string[], width: number): string {
  const size = Math.min(longestBar, width - lengthOf(texts))
  const line = texts.join(' | ')
  if (size < shortestBar) return line.slice(0, width)
  const full = Math.floor((percent / 100) * size)
  return `${'█'.repeat(full)}${'░'.repeat(size - full)} ${line}`
}

/** Including the space after the bar. */
function lengthOf(texts: string[]): number {
  return texts.join(' | ').length + 1
}

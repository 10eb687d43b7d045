import { changeAddress, changeProse } from './address.ts'
import { rewriteHtml, rewritingOf } from './html.ts'
import type { LinkTargets, Rewriting } from './link-targets.ts'

/** A field that contains only an address. */
export function rewriteAddress(address: string, targets: LinkTargets): Rewriting {
  return rewritingOf(address, changeAddress(address, targets))
}

/** A text of unknown kind: markup, an address, or plain words. */
export function rewriteText(text: string, targets: LinkTargets): Rewriting {
  if (text.includes('<')) return rewriteHtml(text, targets)
  const isAddress = /^(https?:)?\/{1,2}\S*$/i.test(text)
  return rewritingOf(text, (isAddress ? changeAddress : changeProse)(text, targets))
}

export interface RewrittenValue {
  value: unknown
  rewritten: number
  unresolved: string[]
}

/** Rewrites every text in a JSON value. */
export function rewriteJson(value: unknown, targets: LinkTargets): RewrittenValue {
  const counts = { rewritten: 0, unresolved: [] as string[] }
  const changed = walk(value)
  return { value: changed, ...counts }

  function walk(one: unknown): unknown {
    if (typeof one === 'string') {
      const { text, rewritten, unresolved } = rewriteText(one, targets)
      counts.rewritten += rewritten
      counts.unresolved.push(...unresolved)
      return text
    }
    if (Array.isArray(one)) return one.map(walk)
    if (one === null || typeof one !== 'object') return one
    return Object.fromEntries(Object.entries(one).map(([name, below]) => [name, walk(below)]))
  }
}

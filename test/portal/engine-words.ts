import type { Page } from 'playwright-core'

/** Words of the API and of our code, for which screens have words of their own, and "email" spelled in another way. */
const engineWords =
  /\b(dry[- ]?runs?|queued|cancelled|prun(e|es|ed|ing)|heal(s|ed|ing)?|dismiss(ed|es)?|matched|mappings?|before-images?|phases?|globals|entit(y|ies)|organisations?|e-mails?|undefined|NaN|null)\b|\[object/gi
/** Such as `in_progress`, `member.manage` and `failuresOpen`. */
const codes =
  /\b[a-z]+(_[a-z]+)+\b|\b(migrations?|store|member|credential|administrator|invitation|assistant)\.[a-z][\w-]+|\b[a-z]+[A-Z][a-z]+\w*/g

/**
 * What a screen says beside the words of shops and people, which are in `bdi` and `code`, and beside the names for scripts, which are
 * in small type in Settings and API access.
 */
const shown = `(() => {
  const copy = document.body.cloneNode(true)
  const forScripts = /\\/(settings|api-access)$/.test(location.pathname) ? ', dd > small' : ''
  for (const one of copy.querySelectorAll('bdi, code, script, style, option' + forScripts)) one.remove()
  const said = ['aria-label', 'title', 'placeholder'].flatMap((name) =>
    [...copy.querySelectorAll('[' + name + ']')].map((one) => one.getAttribute(name)))
  const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) said.push(walker.currentNode.data)
  return said.join('\\n')
})()`

/** @returns the words of the engine on this screen, each with what is around it. */
export async function engineWordsOn(page: Page): Promise<string[]> {
  // The end of a secret is any four characters.
  const text = (await page.evaluate<string>(shown)).replaceAll(/(?<=\bends (?:in )?)[\w-]{4}\b/g, '')
  const found = [...text.matchAll(engineWords), ...text.matchAll(codes)]
  return [...new Set(found.map(({ 0: word, index }) => `says "${word}": ${text.slice(index - 30, index + 50)}`))]
}

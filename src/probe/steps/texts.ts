import { mark, type Step } from '../call.ts'
import { firstRow, last, status } from '../verdict.ts'
import { products } from './catalog.ts'

/** Texts that the store may change: the copy would then differ from the source although it was written correctly. */
const texts: readonly [key: string, text: string, quick?: boolean][] = [
  ['letters of all scripts', 'Größe 大小 حجم 🛒 e\u0301', true],
  ['html with a script', '<p>Text</p><script>0</script><a href="/x" onclick="0">x</a>', true],
  ['65,535 characters', 'a'.repeat(65_535)],
  ['spaces around it', '  text  ', true],
  ['line breaks', 'one\r\ntwo\nthree'],
  ['entities', '&amp; &lt; &eacute; & <'],
  ['braces of a template', '{{product.title}}'],
]

function textStep([key, description, quick = false]: (typeof texts)[number]): Step {
  const name = key.replaceAll(/[^a-z0-9]+/g, '-')
  const product = `product with ${key}`
  return {
    key: `text: ${key}`,
    question: `Does a description come back as it was sent: ${key}?`,
    calls: [
      {
        method: 'POST',
        path: products,
        body: { type: 'physical', weight: 1, price: 10, is_visible: false, name: mark(name), description },
        finds: { [product]: 'id' },
      },
      { method: 'GET', path: `${products}/{${product}}` },
    ],
    documented: last(status(200), ({ body }) => firstRow(body).description === description),
    seen: last(status(200), ({ body }) => firstRow(body).description !== description),
    quick,
  }
}

export const textSteps: Step[] = texts.map(textStep)

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { sentenceOf } from '../../data/errors.ts'
import { catalogQuery, catalogTextLength } from '../../data/store-queries.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import type { Picked } from './draft.ts'

interface Props {
  hash: string
  entity: string
  onAdd: (items: Picked[]) => void
}

const idShape = /^[1-9]\d{0,14}$/
/** Each takes a call to the store. */
const mostSkus = 100
const atOnce = 4

/** Picks items by what was copied from a spreadsheet. Which of the two it is cannot be seen: a SKU may be a number. */
export function PasteItems({ hash, entity, onAdd }: Props) {
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  // Others may be picked while SKUs are looked up. Once the field is gone, nothing is added.
  const latest = useRef<Props['onAdd']>(undefined)
  useEffect(() => {
    latest.current = onAdd
    return () => {
      latest.current = undefined
    }
  })
  const hasSkus = entity === 'products'
  function addIds() {
    const ids = wordsOf(text, /[\s,;]+/)
    if (ids.length === 0) return setProblem('Paste at least one id.')
    const wrong = ids.filter((id) => !idShape.test(id))
    if (wrong.length > 0) return setProblem(`${someOf(wrong)}: ids are whole numbers.`)
    setProblem(undefined)
    setText('')
    onAdd(ids.map((id) => ({ entity, id, name: null })))
  }
  async function addSkus() {
    const skus = wordsOf(text, /[\n\t,;]+/)
    if (skus.length === 0) return setProblem('Paste at least one SKU.')
    if (skus.length > mostSkus) return setProblem(`At most ${mostSkus} SKUs at once. Add the others after them.`)
    setProblem(undefined)
    try {
      const found = await bySku(queries, hash, skus)
      const unknown = skus.filter((sku) => !found.has(sku))
      latest.current?.([...found.values()].map(({ id, name }) => ({ entity, id, name })))
      setText(unknown.join('\n'))
      if (unknown.length > 0)
        setProblem(`No product has the SKU ${someOf(unknown)}. For a variant, give the SKU of its product.`)
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  return (
    <div className="paste-ids">
      <TextArea
        label={hasSkus ? 'Paste ids or SKUs' : 'Paste ids'}
        hint={hasSkus ? 'One a line, or separated by commas.' : 'Separated by spaces, commas or lines.'}
        value={text}
        maxLength={1_000_000}
        problem={problem}
        onChange={setText}
      />
      <div className="row-actions">
        <Button variant="secondary" onClick={addIds}>
          Add these ids
        </Button>
        {hasSkus && (
          <Button variant="secondary" onClick={addSkus}>
            Add these SKUs
          </Button>
        )}
      </div>
    </div>
  )
}

function wordsOf(text: string, separator: RegExp): string[] {
  return [...new Set(text.split(separator).map((word) => word.trim()))].filter(Boolean)
}

/** For a message about many. */
function someOf(words: string[]): string {
  return words.length > 3 ? `${words.slice(0, 3).join(', ')} and ${words.length - 3} more` : words.join(', ')
}

interface Product {
  id: string
  name: string | null
}

/** The products that have these SKUs, a few requests at a time. A search also finds others that only contain one. */
async function bySku(queries: QueryClient, hash: string, skus: string[]): Promise<Map<string, Product>> {
  const found = new Map<string, Product>()
  for (let at = 0; at < skus.length; at += atOnce)
    await Promise.all(
      skus.slice(at, at + atOnce).map(async (sku) => {
        const { items } = await queries.fetchQuery(
          catalogQuery(hash, 'products', { text: sku.slice(0, catalogTextLength), limit: 50 }),
        )
        const product = items.find((one) => one.sku?.toLowerCase() === sku.toLowerCase())
        if (product) found.set(sku, product)
      }),
    )
  return found
}

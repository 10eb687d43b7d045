import type { RecordedAnswer, RecordedCall } from '../../../sandbox/recorded/recorded-answer.ts'
import type { Answer, Shop } from '../a-shop.ts'

/** Makes the calls of a recorded answer and gives the answer to the last. `{store.images}` is the address of pictures that exist. */
export async function replay({ call, picture }: Shop, { given = [], request }: RecordedAnswer): Promise<Answer> {
  const answers: Record<string, unknown> = { store: { images: picture('').replace(/\/$/, '') } }
  const make = ({ method, path, body }: RecordedCall) => call(method, filledText(path, answers), filled(body, answers))
  for (const { as, ...earlier } of given) {
    const { status, body } = await make(earlier)
    if (status >= 300) throw new Error(`${earlier.method} ${earlier.path}: ${status} ${JSON.stringify(body)}`)
    if (as !== undefined) answers[as] = body
  }
  return make(request)
}

/** A text that is only a placeholder becomes the value itself. */
function filled(value: unknown, answers: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(item, answers))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, filled(child, answers)]))
  if (typeof value !== 'string') return value
  const [, path] = /^\{([\w.]+)\}$/.exec(value) ?? []
  return path === undefined ? filledText(value, answers) : valueAt(answers, path)
}

function filledText(text: string, answers: Record<string, unknown>): string {
  return text.replace(/\{([\w.]+)\}/g, (_whole, path: string) => String(valueAt(answers, path)))
}

function valueAt(answers: Record<string, unknown>, path: string): unknown {
  let value: unknown = answers
  for (const key of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[key]
  if (value === undefined) throw new Error(`no earlier answer has ${path}`)
  return value
}

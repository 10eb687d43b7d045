import { type Judge, type Method, type ProbeCall, ref, renamed, type Step } from './call.ts'
import { type Kind, kinds } from './kinds.ts'
import { accepted, last, status } from './verdict.ts'

/** An operation that creates an item, and what is tried with it. */
export interface Operation {
  /** The name of what it creates, by which other calls refer to its id. */
  key: string
  method?: Method
  path: string
  /** A body that the store accepts; for a batch, its only row. */
  body: Record<string, unknown>
  /** The body is a list of rows. */
  batch?: true
  /** The path of the id in the answer; `id` by default, `null` if it has none. */
  id?: string | null
  /** More values of the answer that later calls use. */
  finds?: Record<string, string>
  documented?: Judge
  seen?: Judge
  /** The same call again; `whole`: not part of the quick probe. */
  again?: { documented?: Judge; seen?: Judge; whole?: true } | null
  /** Fields left out of the body, one at a time. */
  required?: readonly string[]
  /** Fields sent as null, and in `texts` those sent as an empty text, one at a time. */
  nullable?: readonly string[]
  texts?: readonly string[]
  /** How an item is read and changed; left out if it has no calls of its own. */
  one?: Change
  /** Not part of the quick probe. */
  whole?: true
  /** There can be only one, so variants of it cannot be created. */
  single?: true
  /** The quick probe sends it a field that does not exist. */
  unknownFieldQuick?: true
}

interface Change {
  /** The path of the item, with `{key}` for the id. */
  path: string
  body: Record<string, unknown>
  batch?: true
  /** The id field in a row of a batch. */
  id?: string
  /** The item cannot be read by itself. */
  unreadable?: true
}

const refused = last(status(400, 422))
const isV2 = (path: string) => path.startsWith('/v2/')

/** Every question about one operation, simplest first. */
export function stepsOf(operation: Operation): Step[] {
  return [
    creation(operation),
    ...(operation.again === null ? [] : [again(operation)]),
    ...changes(operation),
    ...(operation.single ? [] : variants(operation)),
  ]
}

/** The body with one change at a time; each variant has names of its own. */
function variants(operation: Operation): Step[] {
  return [
    unknownField(operation),
    ...(operation.required ?? []).map((field) => without(operation, field)),
    ...(operation.nullable ?? []).map((field) => instead(operation, field, null)),
    ...(operation.texts ?? []).map((field) => instead(operation, field, '')),
    ...removal(operation),
  ]
}

function creation(operation: Operation): Step {
  const { key, id = 'id', finds, documented = last(accepted), seen, whole } = operation
  const position = operation.batch ? '0.' : ''
  return {
    key: `${key}: create`,
    question: `What does a good ${operation.method ?? 'POST'} ${operation.path} answer?`,
    calls: [
      { ...callOf(operation, operation.body), finds: { ...(id !== null && { [key]: `${position}${id}` }), ...finds } },
    ],
    documented,
    ...(seen && { seen }),
    quick: !whole,
  }
}

function again(operation: Operation): Step {
  const { documented = last(status(409, 422)), seen, whole } = operation.again ?? {}
  return {
    key: `${operation.key}: again`,
    question: `What does ${operation.path} answer when the same is created again?`,
    calls: [callOf(operation, operation.body)],
    ...(operation.id !== null && { needs: [operation.key] }),
    documented,
    ...(seen && { seen }),
    quick: !whole && !operation.whole,
  }
}

/** Reading the item, changing it, and sending back everything that was read. */
function changes({ key, one, whole }: Operation): Step[] {
  if (!one) return []
  const { path, batch, id = 'id', unreadable } = one
  const write = (body: unknown): ProbeCall => ({ method: 'PUT', path, body })
  const rows = (row: Record<string, unknown>) => (batch ? [{ [id]: ref(key), ...row }] : row)
  const change: Step = {
    key: `${key}: change`,
    question: `What does a good PUT ${path} answer?`,
    calls: [write(rows(one.body))],
    documented: last(accepted),
    quick: !whole,
  }
  if (batch || unreadable) return [change]
  const all = `${key} as read`
  const read: ProbeCall = { method: 'GET', path, finds: { [all]: '' } }
  const back: Step = {
    key: `${key}: sent back`,
    question: `Is all that GET ${path} answers accepted by PUT?`,
    calls: [read, write(ref(all))],
    documented: last(accepted),
    quick: false,
  }
  return [
    {
      key: `${key}: read`,
      question: `What does GET ${path} show?`,
      calls: [read],
      documented: last(status(200)),
      quick: false,
    },
    change,
    back,
  ]
}

/** Version 3 ignores unknown fields; version 2 was seen to refuse them. */
function unknownField(operation: Operation): Step {
  const body = { ...renamed(operation.body, 'unknown'), sfprobe_field: 'x' }
  const v2 = isV2(operation.path)
  return {
    key: `${operation.key}: unknown field`,
    question: `What does ${operation.path} answer to a field that it does not have?`,
    calls: [callOf(operation, body)],
    documented: last(accepted),
    ...(v2 && { seen: last(status(400)) }),
    quick: operation.unknownFieldQuick === true,
  }
}

function without(operation: Operation, field: string): Step {
  const { [field]: _left, ...body } = renamed(operation.body, `no-${dashed(field)}`)
  return {
    key: `${operation.key}: without ${field}`,
    question: `What does ${operation.path} answer without ${field}?`,
    calls: [callOf(operation, body)],
    documented: last(status(isV2(operation.path) ? 400 : 422)),
    seen: last(accepted),
    quick: false,
  }
}

function instead(operation: Operation, field: string, value: null | ''): Step {
  const what = value === null ? 'null' : 'empty'
  const body = { ...renamed(operation.body, `${what}-${dashed(field)}`), [field]: value }
  return {
    key: `${operation.key}: ${what} ${field}`,
    question: `Does ${operation.path} accept ${value === null ? 'null' : 'an empty text'} as ${field}?`,
    calls: [callOf(operation, body)],
    // No published file allows null for these; that an empty text is allowed follows from the type.
    ...(value === null ? { documented: refused, seen: last(accepted) } : { documented: last(accepted), seen: refused }),
    quick: false,
  }
}

/** Deletes an item created for this question, because others refer to the first one. */
function removal(operation: Operation): Step[] {
  const { key, one, path } = operation
  const own = kinds.find((kind) => kind.path === path)
  const name = `${key} to remove`
  const below = one && { method: 'DELETE' as const, path: one.path.replace(`{${key}}`, `{${name}}`) }
  const call = own ? removalOf(own, name) : below
  if (!call || operation.id === null) return []
  const position = operation.batch ? `0.${own?.id ?? 'id'}` : (operation.id ?? 'id')
  const made = { ...callOf(operation, renamed(operation.body, 'removed')), finds: { [name]: position } }
  return [
    {
      key: `${key}: remove`,
      question: `What does the deletion answer of what ${path} made?`,
      calls: [made, call],
      documented: last(status(200, 202, 204)),
      quick: false,
    },
  ]
}

function removalOf({ path, remove }: Kind, name: string): ProbeCall {
  if ('each' in remove) return { method: 'DELETE', path: `${path}/{${name}}` }
  if ('filter' in remove) return { method: 'DELETE', path, query: { [remove.filter]: ref(name) } }
  return { method: 'DELETE', path, body: [ref(name)] }
}

const dashed = (field: string) => field.replaceAll('_', '-')

function callOf({ method = 'POST', path, batch }: Operation, body: Record<string, unknown>): ProbeCall {
  return { method, path, body: batch ? [body] : body }
}

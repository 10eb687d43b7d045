/** A part of an OpenAPI file; every key is read with care, because the files are written by hand. */
export type Schema = Record<string, unknown>

export interface Complaint {
  /** Where in the value, with `[]` for every index: `data[].custom_url.url`; empty for the value itself. */
  at: string
  says: string
}

/**
 * Checks values against the schemas of one OpenAPI file.
 *
 * Stricter than JSON Schema in one thing: a field that no branch of an object's schema names is a complaint, because the
 * published schemas require next to nothing and would otherwise pass any object. Milder in one: `oneOf` is read as
 * `anyOf`, because the files use it for shapes that overlap. `format` is not read; `x-nullable` is read as `nullable`.
 */
export function checkSchema(document: Schema, schema: unknown, value: unknown, at = ''): Complaint[] {
  return new Check(document).whole(schema, value, at)
}

/** Follows `$ref` inside the file; undefined when it leads nowhere. */
export function resolve(document: Schema, part: unknown): Schema | undefined {
  let found = part
  while (isObject(found) && typeof found.$ref === 'string') {
    const keys = decodeURIComponent(found.$ref).slice(2).split('/')
    found = keys.reduce<unknown>(
      (inside, key) => (isObject(inside) ? inside[key.replace(/~1/g, '/').replace(/~0/g, '~')] : undefined),
      document,
    )
  }
  return isObject(found) ? found : undefined
}

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isNumber = (value: unknown): value is number => typeof value === 'number'
const complaint = (at: string, says: string): Complaint[] => [{ at, says }]

const TYPES: Record<string, (value: unknown) => boolean> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: isNumber,
  integer: Number.isInteger,
}

class Check {
  #document: Schema

  constructor(document: Schema) {
    this.#document = document
  }

  /** The value with its unknown fields; `part` leaves these out, because a branch knows only some of them. */
  whole(given: unknown, value: unknown, at: string): Complaint[] {
    return [...this.#part(given, value, at), ...this.#unknownFields(given, value, at)]
  }

  #part(given: unknown, value: unknown, at: string): Complaint[] {
    const schema = resolve(this.#document, given)
    if (!schema) return isObject(given) ? complaint(at, `the file has no ${String(given.$ref)}`) : []
    if (value === null) return this.#takesNull(schema) ? [] : complaint(at, 'is null')
    return [
      ...typeComplaints(schema, value, at),
      ...limitComplaints(schema, value, at),
      ...this.#branches(schema, value, at),
      ...this.#fields(schema, value, at),
      ...this.#items(schema, value, at),
    ]
  }

  #takesNull(schema: Schema): boolean {
    if (schema.nullable === true || schema['x-nullable'] === true) return true
    const all = listOf(schema.allOf)
    const any = [...listOf(schema.oneOf), ...listOf(schema.anyOf)]
    const takes = (branch: unknown) => this.#takesNull(resolve(this.#document, branch) ?? {})
    if (all.length + any.length === 0) return schema.type === undefined && schema.properties === undefined
    return schema.type === undefined && all.every(takes) && (any.length === 0 || any.some(takes))
  }

  #branches(schema: Schema, value: unknown, at: string): Complaint[] {
    const all = listOf(schema.allOf).flatMap((branch) => this.#part(branch, value, at))
    const any = [listOf(schema.oneOf), listOf(schema.anyOf)].flatMap((branches) => this.#best(branches, value, at))
    return [...all, ...any]
  }

  /** What the branch complains about that comes closest; nothing when one of them takes the value. */
  #best(branches: unknown[], value: unknown, at: string): Complaint[] {
    const complaints = branches.map((branch) => this.#part(branch, value, at))
    return complaints.sort((a, b) => a.length - b.length)[0] ?? []
  }

  #fields(schema: Schema, value: unknown, at: string): Complaint[] {
    if (!isObject(value)) return []
    const missing = listOf(schema.required).filter((name) => value[String(name)] === undefined)
    const properties = isObject(schema.properties) ? schema.properties : {}
    const extra = isObject(schema.additionalProperties) ? schema.additionalProperties : undefined
    return [
      ...missing.flatMap((name) => complaint(below(at, String(name)), 'is missing')),
      ...Object.entries(value).flatMap(([name, field]) => {
        const rule = Object.hasOwn(properties, name) ? properties[name] : extra
        return rule === undefined || field === undefined ? [] : this.whole(rule, field, below(at, name))
      }),
    ]
  }

  #items(schema: Schema, value: unknown, at: string): Complaint[] {
    if (!Array.isArray(value) || schema.items === undefined) return []
    return value.flatMap((item) => this.whole(schema.items, item, `${at}[]`))
  }

  #unknownFields(given: unknown, value: unknown, at: string): Complaint[] {
    const known = isObject(value) ? this.#knownFields(given) : 'any'
    if (known === 'any' || known.size === 0 || !isObject(value)) return []
    const unknown = Object.keys(value).filter((name) => !known.has(name))
    return unknown.flatMap((name) => complaint(below(at, name), 'is not in the file'))
  }

  /** `any` where the file says that other fields may come. */
  #knownFields(given: unknown): Set<string> | 'any' {
    const schema = resolve(this.#document, given)
    if (!schema) return new Set()
    if (schema.additionalProperties === true || isObject(schema.additionalProperties)) return 'any'
    const known = new Set(isObject(schema.properties) ? Object.keys(schema.properties) : [])
    for (const branch of [schema.allOf, schema.oneOf, schema.anyOf].flatMap(listOf)) {
      const more = this.#knownFields(branch)
      if (more === 'any') return 'any'
      for (const name of more) known.add(name)
    }
    return known
  }
}

function typeComplaints({ type, enum: allowed }: Schema, value: unknown, at: string): Complaint[] {
  const fits = typeof type === 'string' ? TYPES[type] : undefined
  if (fits && !fits(value)) return complaint(at, `is not of type ${String(type)}`)
  if (Array.isArray(allowed) && !allowed.includes(value)) return complaint(at, `${String(value)} is not in the enum`)
  return []
}

function limitComplaints(schema: Schema, value: unknown, at: string): Complaint[] {
  const size = typeof value === 'string' ? value.length : Array.isArray(value) ? value.length : value
  if (!isNumber(size)) return []
  const kind = typeof value === 'string' ? 'Length' : Array.isArray(value) ? 'Items' : 'imum'
  const [least, most] = [schema[`min${kind}`], schema[`max${kind}`]]
  return [
    ...(isNumber(least) && size < least ? complaint(at, `is below min${kind} ${least}`) : []),
    ...(isNumber(most) && size > most ? complaint(at, `is above max${kind} ${most}`) : []),
    ...(typeof schema.pattern === 'string' && typeof value === 'string' && !new RegExp(schema.pattern).test(value)
      ? complaint(at, `does not match ${schema.pattern}`)
      : []),
  ]
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function below(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`
}

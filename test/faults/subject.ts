/** A call that moves components. `path`, `query` and `body` are regular expressions, as the sandbox's faults take them. */
export interface Subject {
  components: readonly string[]
  method: 'GET' | 'POST' | 'PUT'
  path: string
  query?: string
  body?: string
}

export const productsPath = '^/v3/catalog/products$'

export function writing(component: string, path: string, more: Partial<Subject> = {}): Subject {
  return { components: [component], method: 'POST', path, ...more }
}

export function reading(components: string[], path: string, query?: string): Subject {
  return { components, method: 'GET', path, ...(query !== undefined && { query }) }
}

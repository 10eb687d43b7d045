import type { SandboxRoute } from './resource.ts'

interface Node {
  literals: Map<string, Node>
  /** The child for a path parameter. It is nameless, because routes may call the same parameter by different names. */
  named?: Node
  routes: Map<string, { route: SandboxRoute; names: string[] }>
}

export type Match =
  | { route: SandboxRoute; params: Record<string, string> }
  /** The path exists, but not with this method. */
  | 'wrong method'
  | 'no such path'

const emptyNode = (): Node => ({ literals: new Map(), routes: new Map() })

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '')
}

/** Finds the route for a path with one lookup per segment. A literal segment takes precedence over a parameter. */
export class Router {
  #root = emptyNode()

  constructor(routes: SandboxRoute[]) {
    for (const route of routes) this.#add(route)
  }

  #add(route: SandboxRoute): void {
    const names: string[] = []
    let node = this.#root
    for (const part of partsOf(route.path)) {
      if (part.startsWith(':')) {
        names.push(part.slice(1))
        node = node.named ??= emptyNode()
      } else {
        const next = node.literals.get(part) ?? emptyNode()
        node.literals.set(part, next)
        node = next
      }
    }
    if (node.routes.has(route.method)) throw new Error(`${route.method} ${route.path} is routed twice`)
    node.routes.set(route.method, { route, names })
  }

  match(method: string, path: string): Match {
    const parts = partsOf(withoutExtension(path))
    let pathExists = false
    const search = (node: Node, at: number, values: string[]): Match | undefined => {
      const part = parts[at]
      if (part === undefined) {
        const found = node.routes.get(method)
        if (!found) {
          pathExists ||= node.routes.size > 0
          return undefined
        }
        return { route: found.route, params: Object.fromEntries(found.names.map((name, n) => [name, values[n] ?? ''])) }
      }
      const literal = node.literals.get(part)
      const byLiteral = literal && search(literal, at + 1, values)
      if (byLiteral) return byLiteral
      return node.named && search(node.named, at + 1, [...values, decode(part)])
    }
    return search(this.#root, 0, []) ?? (pathExists ? 'wrong method' : 'no such path')
  }

  /** The methods of a path. Where there is GET there is HEAD. */
  methodsOf(path: string): string[] {
    return METHODS.filter((method) => typeof this.match(method === 'HEAD' ? 'GET' : method, path) !== 'string')
  }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

/** v2 accepts paths that end in `.json`; it answers in JSON either way. Source: BigCommerce "About the API". */
function withoutExtension(path: string): string {
  return path.startsWith('/v2/') && path.endsWith('.json') ? path.slice(0, -'.json'.length) : path
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A malformed percent sequence stays in the name, so the handler will not find it.
    return part
  }
}

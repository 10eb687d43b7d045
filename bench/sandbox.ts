import { median, requestsPerSecond } from './parts/load.ts'
import { sandboxProcess } from './parts/sandbox-process.ts'
import type { BenchResult } from './run.ts'

/**
 * Simple reads of the sandbox as a ratio to an empty route of the same server: how much of the HTTP server's throughput
 * is left with a token, a quota, a route, a database and a log entry in the way.
 *
 * The empty route is a path of no store: the server parses the request, splits the path, looks up the store, and sends
 * a small JSON with Content-Length. It does nothing specific to the sandbox, and no route was added for this figure.
 * Client and server are separate processes, so that the client's work does not make both look more alike.
 */
export async function bench(): Promise<BenchResult> {
  const sandbox = await sandboxProcess({ stores: [{ name: 'shop', seed: 'small' }] })
  try {
    const { url = '', token = '' } = sandbox.stores.shop ?? {}
    const brandId = await firstId(`${url}/v3/catalog/brands?limit=1`, token)
    const productId = await firstId(`${url}/v3/catalog/products?limit=1`, token)
    const empty: Route = { name: 'empty route', url: `${sandbox.url}/stores/nobody/v2/time`, isSimple: false }
    const routes: Route[] = [
      { name: 'GET /v2/time', url: `${url}/v2/time`, isSimple: true },
      { name: 'GET a brand by its id', url: `${url}/v3/catalog/brands/${brandId}`, isSimple: true },
      { name: 'GET a product by its id', url: `${url}/v3/catalog/products/${productId}`, isSimple: false },
      { name: 'GET a page of 10 products', url: `${url}/v3/catalog/products?limit=10`, isSimple: false },
      { name: 'GET a page of 250 products', url: `${url}/v3/catalog/products?limit=250`, isSimple: false },
    ]
    const measured = await rounds([empty, ...routes], token)
    const base = measured.get(empty) ?? Number.NaN
    const ratioOf = (route: Route) => (measured.get(route) ?? 0) / base
    return {
      rows: [...measured].map(([route, perSecond]) => ({
        route: route.name,
        'per second': Math.round(perSecond),
        ratio: ratioOf(route).toFixed(2),
      })),
      ratios: routes
        .filter((route) => route.isSimple)
        .map((route) => ({ name: route.name, ratio: ratioOf(route), bound: { atLeast: 0.4 } })),
    }
  } finally {
    await sandbox.stop()
  }
}

interface Route {
  name: string
  url: string
  /**
   * One row by its id, or less. Products and pages are only printed: sixty fields, categories and stock are read and
   * written as JSON for each row, which takes longer than the whole empty route.
   */
  isSimple: boolean
}

const ROUNDS = 9
const ROUND_SECONDS = 0.5

/** In turns, so that other load on the machine affects all of them equally; the first round only warms up. */
async function rounds(routes: Route[], token: string): Promise<Map<Route, number>> {
  const figures = new Map(routes.map((route) => [route, [] as number[]]))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [route, taken] of figures) {
      const perSecond = await requestsPerSecond(route.url, token, ROUND_SECONDS)
      if (round > 0) taken.push(perSecond)
    }
  }
  return new Map([...figures].map(([route, taken]) => [route, median(taken)]))
}

async function firstId(url: string, token: string): Promise<number> {
  const answer = await fetch(url, { headers: { 'X-Auth-Token': token } })
  const { data } = (await answer.json()) as { data: { id: number }[] }
  if (!data[0]) throw new Error(`${url} has no row`)
  return data[0].id
}

import { Management } from '@aligent/bigcommerce-api'

const { STORE_HASH = '', ACCESS_TOKEN = '' } = process.env
export const { v2, v3 } = new Management.Client({ storeHash: STORE_HASH, accessToken: ACCESS_TOKEN })

/** What went wrong, as the client says it. */
export async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return { gave: await work }
  } catch (error) {
    return { message: (error as Error).message }
  }
}

/** Every row of a list that the client pages through. */
export async function all(list: AsyncIterable<unknown>): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const row of list) rows.push(row)
  return rows
}

import pg from 'pg'

/** Asks a database once. @param query selects one row with one column, `number` */
export async function numberFrom(url: string, query: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ number: string }>(query)
    return Number(rows[0]?.number)
  } finally {
    await client.end()
  }
}

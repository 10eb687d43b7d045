import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { ReferenceBook } from '../../src/engine/references.ts'
import { products } from '../../src/entities/products.ts'
import { createDatabase } from '../harness/postgres.ts'

/** A product that names a brand, three categories and a channel of its own. */
function product(id: number) {
  return {
    id,
    name: `Product ${id}`,
    type: 'physical',
    brand_id: id,
    categories: [id, id + 1_000, id + 2_000],
    channels: [id],
    variants: [],
  }
}

test.each([1, 10, 250])('E5: the references of a page of %i products take one query', async (size) => {
  const { url, drop } = await createDatabase()
  const statements: string[] = []
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  const database: Database = new Kysely({
    dialect: new PostgresDialect({ pool }),
    log: (event) => void statements.push(event.query.sql),
  })
  try {
    const pair = { organisationId: randomUUID(), sourceStoreId: randomUUID(), destinationStoreId: randomUUID() }
    const book = new ReferenceBook(database, pair, { source: null, destination: null }, 'source')
    const [pass] = products.passes
    if (!pass) throw new Error('Products are read in no pass.')
    const page = Array.from({ length: size }, (_, at) => product(at + 1))
    const resolved = await book.resolve(pass, page)
    expect(resolved).toHaveLength(size)
    // Nothing is mapped yet: every reference of every product was asked for, in one go.
    expect(resolved.every((one) => 'missing' in one && one.missing.length === 5)).toBe(true)
    expect(statements).toHaveLength(1)
  } finally {
    await database.destroy()
    await drop()
  }
})

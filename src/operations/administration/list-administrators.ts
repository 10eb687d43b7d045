import { z } from 'zod'
import type { Administrator } from '../../accounts/caller.ts'
import { administratorList } from '../../contract/accounts/administration.ts'
import { listAdministrators as listRows } from '../../db/accounts/administrators.ts'
import { defineOperation } from '../shared/operation.ts'

type Output = z.infer<typeof administratorList>

export const listAdministrators = defineOperation<Record<string, never>, Output, Administrator>({
  name: 'list-administrators',
  summary: 'The platform’s own administrators, sorted by email.',
  input: z.strictObject({}),
  output: administratorList,
  async run(_, __, { database }) {
    const rows = await listRows(database)
    return { items: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })) }
  },
})

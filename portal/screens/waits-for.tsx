import type { MigrationRequest } from '../data/queries.ts'
import { Notice } from '../ui/notice.tsx'
import { When } from '../ui/when.tsx'

type Waiting = NonNullable<MigrationRequest['waiting']>

const systemWords: Record<Waiting['system'], string> = {
  source: 'the store it copies from',
  destination: 'the store it copies to',
  database: 'the database',
  quota: 'a store that allows no more calls now',
}

/** For a running migration that can do nothing at the moment. */
export function WaitsFor({ system, since }: Pick<Waiting, 'system' | 'since'>) {
  return (
    <Notice tone="review" title={`It waits for ${systemWords[system]}`}>
      Since <When at={since} />. It goes on by itself.
    </Notice>
  )
}

import { z } from 'zod'

export const watchMigrationInput = z.strictObject({
  id: z.string().max(64),
  lastEventId: z.string().max(200).optional().describe('`id` of the last event seen; the header Last-Event-ID.'),
})

/** One server-sent event. Without a kind it is only a sign of life. */
export interface StreamedEvent {
  /** What the caller sends back as `Last-Event-ID` to go on from here. */
  id: string
  /** `migration`: a MigrationDetail, as it changed. `end`: nothing more comes. */
  event: 'migration' | 'end'
  data: unknown
}

import { z } from 'zod'

export const watchMigrationInput = z.strictObject({
  id: z.string().max(64),
  lastEventId: z.string().max(200).optional().describe('`id` of the last event received; the header Last-Event-ID.'),
})

/** One server-sent event. */
export interface StreamedEvent {
  /** The client sends it as `Last-Event-ID` to continue from here. */
  id: string
  /** `migration`: a changed MigrationDetail. `end`: the last event. */
  event: 'migration' | 'end'
  data: unknown
}

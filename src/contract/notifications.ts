import { z } from 'zod'
import { eventKinds } from './event-kinds.ts'
import { person } from './history.ts'
import { counters } from './migration.ts'
import { modes } from './modes.ts'
import { limits } from './primitives/limits.ts'
import { pageInput, pageOf } from './primitives/list-page.ts'
import { migrationStatuses } from './status.ts'

/** Sent on request only. */
export const testEvent = 'webhook.test'

/** Why a try failed, or why a delivery was not tried any more. */
export const deliveryProblems = [
  'http_status',
  'timeout',
  'address_refused',
  'unreachable',
  'webhook_disabled',
  'mail_refused',
  'mail_server_unreachable',
  'not_a_member',
] as const
export type DeliveryProblem = (typeof deliveryProblems)[number]

/** What events about a migration say: ids, states and counts (S26). */
export const migrationEventData = z.strictObject({
  migrationId: z.uuid(),
  url: z.url().describe('The migration in the portal.'),
  mode: z.enum(modes),
  status: z.enum(migrationStatuses),
  source: z.string().describe('Store hash.'),
  destination: z.string().describe('Store hash.'),
  summaryLine: z.string(),
  counters,
  failuresOpen: z.int().min(0).optional().describe('Items that need review; absent while the migration waits.'),
})
type MigrationEventData = z.infer<typeof migrationEventData>

/** As they are stored; the address is added when they are sent. */
export interface EventData {
  migration: Omit<MigrationEventData, 'migrationId' | 'url'>
  store: { store: string; summaryLine: string }
  webhook: { webhookId: string; host: string; summaryLine: string }
}

const events = z
  .array(z.enum(eventKinds))
  .max(eventKinds.length)
  .overwrite((kinds) => [...new Set(kinds)])

/**
 * Checked again for each message, with what the name means at that moment (S3). Addresses with a port or a password are
 * refused there too.
 */
const url = z
  .string()
  .max(2_000, 'Must have at most 2000 characters.')
  .refine(
    isWebhookAddress,
    'Must be an https address of a public host on port 443, without user name, password or fragment.',
  )

function isWebhookAddress(given: string): boolean {
  const parsed = URL.parse(given)
  if (parsed?.protocol !== 'https:' || parsed.port !== '' || parsed.hash !== '') return false
  return parsed.username === '' && parsed.password === '' && parsed.hostname.includes('.')
}

const description = z.string().max(limits.textLength, `Must have at most ${limits.textLength} characters.`)
const id = z.string().describe('Id of the webhook.')
const allKinds = 'Null: every kind of event, also those of later versions.'

export const webhook = z.strictObject({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  events: z.array(z.enum(eventKinds)).nullable().describe(allKinds),
  enabled: z.boolean(),
  disabledBecause: z
    .enum(['failures', 'gone', 'access_removed'])
    .nullable()
    .describe(
      'Why the service switched it off: it failed for three days, it answered 410, or the organisation had lost access.',
    ),
  failingSince: z.iso.datetime().nullable().describe('When the present failures began; null while it works.'),
  createdAt: z.iso.datetime(),
  previousSecretUntil: z.iso
    .datetime()
    .nullable()
    .describe('Until when messages are also signed with the secret before the present one.'),
})
export const webhookList = z.strictObject({ items: z.array(webhook) })

export const createWebhookInput = z.strictObject({
  url,
  description: description.default(''),
  events: events.nullable().default(null).describe(allKinds),
})
const secret = z
  .string()
  .describe('Shown only here. Verify messages with it as https://www.standardwebhooks.com describes.')
export const createdWebhook = z.strictObject({ webhook, secret })
export const changeWebhookInput = z.strictObject({
  id,
  url: url.optional(),
  description: description.optional(),
  events: events.nullable().optional().describe(allKinds),
  enabled: z.boolean().optional(),
})
export const oneWebhookInput = z.strictObject({ id })
export const rotateWebhookSecretInput = z.strictObject({
  id,
  overlapHours: z
    .int()
    .min(0)
    .max(limits.webhookOverlapHours)
    .default(24)
    .describe(
      'For how long messages are also signed with the present secret; 0 if others may know it. One before it ends at once.',
    ),
})
export const rotatedWebhookSecret = z.strictObject({
  secret,
  previousUntil: z.iso.datetime().nullable().describe('Null without an overlap.'),
})

export const delivery = z.strictObject({
  id: z.string(),
  event: z.strictObject({
    id: z.string().describe('The header `webhook-id` of its messages.'),
    type: z.enum([...eventKinds, testEvent]),
    at: z.iso.datetime(),
    migrationId: z.string().nullable(),
  }),
  webhookId: z.string().nullable().describe('Null for a mail.'),
  member: person.nullable().describe('Who is mailed; null for a webhook.'),
  state: z.enum(['pending', 'delivered', 'failed']).describe('`failed`: it is not tried again.'),
  nextTryAt: z.iso.datetime().nullable().describe('Null unless pending.'),
  tries: z
    .array(
      z.strictObject({
        at: z.iso.datetime(),
        durationMs: z.int().min(0),
        httpStatus: z.int().nullable(),
        problem: z.enum(deliveryProblems).nullable().describe('Null if it was delivered.'),
      }),
    )
    .describe(`The last ${limits.deliveryTriesShown}, newest first.`),
})
export type DeliveryEntry = z.infer<typeof delivery>
export const deliveryPage = pageOf(delivery)
export const listDeliveriesInput = z.strictObject({
  webhookId: z.string().optional().describe('Only messages to this webhook.'),
  state: z.enum(['pending', 'delivered', 'failed']).optional(),
  ...pageInput,
})
export const oneDeliveryInput = z.strictObject({ id: z.string().describe('Id of the delivery.') })
export const deliveryId = z.strictObject({ deliveryId: z.string().describe('Look it up in the list of deliveries.') })

export const mailChoice = z.strictObject({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  events: z.array(z.enum(eventKinds)).describe('What the member is mailed about; empty: nothing.'),
})
export const mailChoices = z.strictObject({
  canSend: z.boolean().describe('Whether a mail server is configured (`SMTP_URL`).'),
  items: z.array(mailChoice),
})
export const changeMailChoiceInput = z.strictObject({ userId: z.uuid(), events })

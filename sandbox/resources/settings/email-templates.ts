import { ok, refuse } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { objectBody } from '../../validation/body-checks.ts'
import { namedChannelOf } from './settings.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_v2_information'
const TEMPLATES = '/v3/marketing/email-templates'
const TEMPLATE = `${TEMPLATES}/:type`
const WHOLE_STORE = 0
/** Source: Help Center, "Email templates". */
const LONGEST_BODY = 65_536

/** Source: `type_id` of the published email templates specification. */
const TYPES = [
  ...['abandoned_cart_email', 'account_details_changed_email', 'combined_order_status_email', 'createaccount_email'],
  ...['createguestaccount_email', 'giftcertificate_email', 'invoice_email', 'ordermessage_notification'],
  ...['return_confirmation_email', 'return_statuschange_email', 'product_review_email', 'account_reset_password_email'],
]

/** Only changed templates have a row. */
function emailTemplateTable(store: SandboxStore): Table {
  return store.table('email_templates', ['type_id', 'channel_id'])
}

function changed(store: SandboxStore, type_id: string, channel_id: number): Row | undefined {
  return emailTemplateTable(store).find({ type_id, channel_id })[0]
}

/** The default template in every store, with texts of our own. */
function original(type_id: string): Body {
  const words = type_id.replace(/_(email|notification)$/, '').replaceAll('_', ' ')
  return {
    body: `<!DOCTYPE html><html><body><p>{{lang "greeting" name=store.name}}</p><p>About: ${words}</p></body></html>`,
    translations: [{ locale: 'en', keys: { greeting: 'A letter from {{name}}' } }],
    subject: `{{store.name}}: ${words}`,
  }
}

/** A channel without its own template has the store's (our choice: this is not documented). */
function shown(store: SandboxStore, type_id: string, channelId: number): Body {
  const row = changed(store, type_id, channelId) ?? changed(store, type_id, WHOLE_STORE)
  const { body, translations, subject } = row ?? original(type_id)
  return { type_id, body, translations, subject }
}

function typeIn({ params }: SandboxRequest): string {
  const type = String(params.type)
  return TYPES.includes(type) ? type : refuse(404, 'The email template was not found')
}

function complaintsAbout({ body, subject, translations, type_id }: Body, type: string): Record<string, string> {
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  const isTranslation = (one: unknown) =>
    typeof one === 'object' && one !== null && 'locale' in one && typeof one.locale === 'string' && 'keys' in one
  return {
    ...(isText(body) ? {} : { body: 'body must be a text' }),
    ...(String(body).length > LONGEST_BODY ? { body: `body must have at most ${LONGEST_BODY} characters` } : {}),
    ...(isText(subject) ? {} : { subject: 'subject must be a text' }),
    ...(type_id === undefined || type_id === type ? {} : { type_id: 'type_id must be that of the address' }),
    ...(translations === undefined || (Array.isArray(translations) && translations.every(isTranslation))
      ? {}
      : { translations: 'translations must have a locale and keys' }),
  }
}

function put(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const [type_id, channel_id, given] = [typeIn(request), namedChannelOf(request), objectBody(request.body)]
  const complaints = complaintsAbout(given, type_id)
  if (Object.keys(complaints).length > 0) refuse(400, Object.values(complaints).join('; '), complaints)
  const { body, subject, translations = [] } = given
  const own = changed(store, type_id, channel_id)
  if (own) emailTemplateTable(store).update(own.id, { body, subject, translations })
  else emailTemplateTable(store).insert({ type_id, channel_id, body, subject, translations })
  return ok(shown(store, type_id, channel_id))
}

/** Only the template of a channel can be deleted. The channel then has the store's again. */
function remove(request: SandboxRequest): SandboxAnswer {
  const [type, channelId] = [typeIn(request), namedChannelOf(request)]
  if (channelId === WHOLE_STORE) refuse(400, 'channel_id is required', { channel_id: 'channel_id is required' })
  const own = changed(request.store, type, channelId)
  if (own) emailTemplateTable(request.store).delete(own.id)
  return { status: 200, body: {} }
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const emailTemplates: SandboxResource = {
  key: 'email-templates',
  routes: [
    {
      method: 'GET',
      path: TEMPLATES,
      ...read,
      handle: (request) => ok(TYPES.map((type) => shown(request.store, type, namedChannelOf(request)))),
    },
    {
      method: 'GET',
      path: TEMPLATE,
      ...read,
      handle: (request) => ok(shown(request.store, typeIn(request), namedChannelOf(request))),
    },
    { method: 'PUT', path: TEMPLATE, ...write, handle: put },
    { method: 'DELETE', path: TEMPLATE, ...write, handle: remove },
  ],
}

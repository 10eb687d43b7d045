import { type Driver, drive } from '../driver.ts'

const TEMPLATES = '/v3/marketing/email-templates'
const TEMPLATE = `${TEMPLATES}/:type`
const TYPE = 'invoice_email'
const CHANGED = {
  type_id: TYPE,
  body: '<html><body>{{lang "thanks" name=store.name}}</body></html>',
  subject: 'Thanks from {{store.name}}',
  translations: [{ locale: 'en', keys: { thanks: 'Thanks from {{name}}' } }],
}

export const emailTemplateDrivers: Driver[] = [
  drive(`GET ${TEMPLATES}`, [{}, { query: 'channel_id=1' }], { query: 'channel_id=99' }),
  drive(`GET ${TEMPLATE}`, { ids: [TYPE] }, { ids: ['love_letter'] }),
  drive(
    `PUT ${TEMPLATE}`,
    [
      { ids: [TYPE], body: CHANGED },
      { ids: [TYPE], query: 'channel_id=1', body: CHANGED },
    ],
    [
      { ids: [TYPE], body: { ...CHANGED, body: 'x'.repeat(65_537) } },
      { ids: [TYPE], body: { subject: 'No body' } },
    ],
  ),
  drive(`DELETE ${TEMPLATE}`, { ids: [TYPE], query: 'channel_id=1' }, { ids: [TYPE] }),
]

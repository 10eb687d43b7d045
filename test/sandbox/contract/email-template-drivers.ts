import type { Driver } from './driver.ts'

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
  { operation: `GET ${TEMPLATES}`, succeeds: [{}, { query: 'channel_id=1' }], fails: [{ query: 'channel_id=99' }] },
  { operation: `GET ${TEMPLATE}`, succeeds: [{ ids: [TYPE] }], fails: [{ ids: ['love_letter'] }] },
  {
    operation: `PUT ${TEMPLATE}`,
    succeeds: [
      { ids: [TYPE], body: CHANGED },
      { ids: [TYPE], query: 'channel_id=1', body: CHANGED },
    ],
    fails: [
      { ids: [TYPE], body: { ...CHANGED, body: 'x'.repeat(65_537) } },
      { ids: [TYPE], body: { subject: 'No body' } },
    ],
  },
  {
    operation: `DELETE ${TEMPLATE}`,
    succeeds: [{ ids: [TYPE], query: 'channel_id=1' }],
    fails: [{ ids: [TYPE] }],
  },
]

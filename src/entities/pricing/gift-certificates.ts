import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import { draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { identity, type References } from '../core/references.ts'
import { codeKey, probeByCode } from './codes.ts'

const path = '/v2/gift_certificates'

/** The platform requires these in every call. */
const always = ['to_name', 'to_email', 'from_name', 'from_email', 'amount']

function certificateDraft(item: PlatformItem, references: References) {
  const { id, order_id: _order, customer_id, purchase_date, expiry_date, ...rest } = item
  const owner = ownerOf(customer_id, references)
  const dates = datesOf({ purchase_date, expiry_date })
  return draft(
    'gift-certificates',
    id,
    { ...rest, ...owner, ...mapValues(dates, mailDate) },
    { compare: { ...rest, ...owner, ...dates }, keys: [codeKey(item.code)], name: String(item.code ?? '') },
  )
}

/** 0 means a guest. */
function ownerOf(id: unknown, references: References): PlatformItem {
  if (id === undefined) return {}
  return { customer_id: Number(id) === 0 ? 0 : references.want('customers', id) }
}

/** Unix times; the platform returns 0 for none. */
function datesOf(dates: PlatformItem): PlatformItem {
  return Object.fromEntries(Object.entries(dates).filter(([, date]) => Number(date ?? 0) > 0))
}

/** The platform returns dates as Unix times but accepts RFC 2822. Source: the published marketing specification. */
function mailDate(seconds: unknown): string {
  return new Date(Number(seconds) * 1000).toUTCString().replace('GMT', '+0000')
}

function mapValues(item: PlatformItem, change: (value: unknown) => unknown): PlatformItem {
  return Object.fromEntries(Object.entries(item).map(([field, value]) => [field, change(value)]))
}

/** Creating a certificate sends no mail. */
const certificate: Component = {
  key: 'gift-certificates',
  label: 'Gift certificates',
  limits: { fields: { message: { longest: 250 }, amount: { least: 0 }, balance: { least: 0 } } },
  // Anyone who knows the code can spend the certificate, which also contains names and addresses of two people.
  data: 'secret',
  recovery: 'key',
  naturalKey: 'code, capitals aside',
  uniqueFields: ['code'],
  accepts: [
    ...['to_name', 'to_email', 'from_name', 'from_email', 'amount', 'balance'],
    ...['purchase_date', 'expiry_date', 'customer_id', 'template', 'message', 'code'],
    ...['status', 'currency_code'],
  ],
  destinationOwned: ['balance', 'status'],
  carried: false,
  create: { batch: 1, call: ([only]) => ({ method: 'POST', path, body: only?.draft.body }) },
  update: {
    call: (desired, existing, _parentId, fields) => ({
      method: 'PUT',
      path: `${path}/${existing.id}`,
      body: { ...chosenFields(desired.body, always), ...chosenFields(desired.body, fields) },
    }),
  },
  probe: probeByCode(path, {}, (item) => certificateDraft(item, identity)),
  callsPerItem: { write: 1 },
}

export const giftCertificates = defineEntity({
  key: 'gift-certificates',
  label: 'Gift certificates',
  group: 'marketing',
  after: ['customers'],
  scopes: [{ scope: 'store_v2_marketing', below: [path] }],
  scope: 'store',
  // A shopper has paid for it.
  prune: 'never',
  components: [certificate],
  notMoved: [{ what: 'the order that a certificate was bought with', why: 'the platform does not let it be written' }],
  passes: [
    {
      key: 'gift-certificates',
      label: 'Gift certificates',
      root: 'gift-certificates',
      source: { path, kind: 'keyset', limit: 250, idField: 'id' },
      destination: { path, kind: 'keyset', limit: 250, idField: 'id', complete: true },
      lookUpById: { idsParameter: 'range' },
      drafts: certificateDraft,
    },
  ],
})

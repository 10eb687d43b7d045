import { offsetPages } from '../../bigcommerce/pages.ts'
import type { Probe } from '../core/calls.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import type { Pass } from '../core/pass.ts'
import type { Reading } from '../core/reading.ts'
import { identity, type References } from '../core/references.ts'
import { codeKey } from './codes.ts'

const key = 'promotion-codes'
const codesOf = (promotionId: unknown) => `/v3/promotions/${promotionId}/codes`

/** Each promotion has its own list of codes; no list contains them all. */
const reading: Reading = {
  path: '/v3/promotions',
  query: { redemption_type: 'coupon' },
  kind: 'staged',
  limit: 250,
  idField: 'id',
  parts: {
    path: ({ id }) => codesOf(id),
    limit: 250,
    byCursor: true,
    item: (code, { id }) => ({ ...code, promotion_id: id }),
  },
}

function codeDraft(item: PlatformItem, references: References): Draft {
  const { id, promotion_id, current_uses: _uses, created: _created, ...body } = item
  // The response to creating a code does not name the promotion.
  const owner = promotion_id === undefined ? null : String(references.need('promotions', promotion_id))
  return draft(key, id, body, { keys: [keyOf(owner, item.code)], name: String(item.code ?? ''), parentId: owner })
}

/** The same code in another promotion is a different item. */
function keyOf(promotionId: string | null, code: unknown): string {
  return `promotion:${promotionId}/${codeKey(code)}`
}

/** Only the codes of this promotion are searched. */
const probe: Probe = async (client, { keys, parentIds }) => {
  const codes = keys.flat().map((one) => one.slice(one.indexOf(codeKey('')) + codeKey('').length))
  const found: Draft[] = []
  for (const parentId of parentIds)
    for (const code of codes.length > 0 ? codes : [undefined])
      for await (const { items } of offsetPages<PlatformItem>(client, codesOf(parentId), { code }))
        found.push(...items.map((item) => codeDraft({ ...item, promotion_id: parentId }, identity)))
  return found
}

/** The platform accepts one code per call; its bulk call only generates codes. */
export const promotionCode: Component = {
  key,
  label: 'Codes of promotions',
  limits: { fields: { code: { required: true, longest: 50 } } },
  // Anyone who knows the code gets the discount.
  data: 'secret',
  recovery: 'key',
  naturalKey: 'promotion and code, capitals aside',
  madeByShoppers: ({ current_uses }) => Number(current_uses ?? 0) > 0,
  destinationOwned: [],
  carried: false,
  create: {
    batch: 1,
    call: ([only]) => ({ method: 'POST', path: codesOf(only?.draft.parentId), body: only?.draft.body }),
  },
  remove: {
    call: (existing, parentId) => ({
      method: 'DELETE',
      path: `${codesOf(parentId || existing.parentId)}/${existing.id}`,
    }),
    // The platform does not delete a promotion that still has codes.
    before: 'parent',
  },
  read: (item) => codeDraft(item, identity),
  probe,
  callsPerItem: { write: 1 },
}

export const promotionCodes: Pass = {
  key,
  label: 'Codes of promotions',
  root: key,
  below: 'promotions',
  source: reading,
  destination: { ...reading, complete: true },
  drafts: codeDraft,
}

import type { StoreClient } from '../../bigcommerce/client.ts'
import { v2Pages } from '../../bigcommerce/pages.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import type { Reading } from '../core/reading.ts'
import { identity, type References } from '../core/references.ts'

const path = '/v2/currencies'

const reading: Reading = { path, kind: 'staged', limit: 250, idField: 'id' }

/** Codes of the currencies in which a store takes payments. */
export async function paidCurrencies(client: Pick<StoreClient, 'get'>, signal: AbortSignal): Promise<string[]> {
  const codes: string[] = []
  for await (const { items } of v2Pages<PlatformItem>(client, path, {}, { signal })) codes.push(...paidAmong(items))
  return codes
}

export function paidAmong(items: PlatformItem[]): string[] {
  return items.filter((item) => item.is_transactional === true).map(codeOf)
}

function codeOf({ currency_code }: PlatformItem): string {
  return String(currency_code).toUpperCase()
}

const keepsRate =
  'the destination keeps its exchange rate, because the platform updates rates automatically only of currencies in which a store takes no payments.'

/**
 * Left out are fields that a copy must not set: the destination keeps its default currency, whose rate is always 1, and
 * whether a store accepts payments in a currency is set in its control panel. The rate of such a currency cannot be
 * automatic.
 */
export function currencyDraft(
  item: PlatformItem,
  { defaultCurrency, paidCurrencies = [] }: Pick<References, 'defaultCurrency' | 'paidCurrencies'> = identity,
): Draft {
  const {
    id,
    is_default: _default,
    is_transactional,
    last_updated: _updated,
    default_for_country_codes: _countries,
    use_default_name: _named,
    currency_exchange_rate,
    auto_update,
    ...rest
  } = item
  const code = codeOf(item)
  const isDefault = code === defaultCurrency?.toUpperCase()
  const isKept = !isDefault && auto_update === true && paidCurrencies.includes(code)
  const keepsOwn = isDefault || isKept
  const body = keepsOwn ? rest : { ...rest, currency_exchange_rate, auto_update }
  return draft('currencies', id, body, {
    compare: keepsOwn ? rest : { ...body, currency_exchange_rate: comparableRate(item) },
    keys: [`code:${code}`],
    name: `${item.name} (${item.currency_code})`,
    ...(isKept && { kept: keepsRate, remedy: 'Set the rate of this currency at the destination by hand.' }),
    ...(is_transactional === true && {
      withheld:
        "it is copied for display only, because the platform's API cannot make a store take payments in a currency.",
      remedy: 'Set up payments in this currency in the control panel of the destination.',
    }),
  })
}

/** A rate that the platform updates by itself is not comparable. */
function comparableRate({ auto_update, currency_exchange_rate }: PlatformItem): unknown {
  return auto_update === true ? 'automatic' : Number(currency_exchange_rate)
}

export const currencies = defineEntity({
  key: 'currencies',
  label: 'Currencies',
  group: 'settings',
  after: [],
  scope: 'store',
  prune: 'allowed',
  components: [
    {
      key: 'currencies',
      label: 'Currencies',
      findings: ['exchange-rates', 'payments-in-currencies'],
      data: 'catalogue',
      recovery: 'key',
      naturalKey: 'code',
      accepts: [
        ...['is_default', 'country_iso2', 'currency_code', 'currency_exchange_rate', 'auto_update', 'token_location'],
        ...['token', 'decimal_token', 'thousands_token', 'decimal_places', 'name', 'enabled'],
        ...['is_transactional'],
      ],
      destinationOwned: [],
      carried: false,
      create: { batch: 1, call: ([only]) => ({ method: 'POST', path, body: only?.draft.body }) },
      update: {
        call: (desired, existing, _parentId, fields) => {
          const { currency_code: _fixed, ...body } = desired.body
          return { method: 'PUT', path: `${path}/${existing.id}`, body: chosenFields(body, fields) }
        },
      },
      remove: { call: (existing) => ({ method: 'DELETE', path: `${path}/${existing.id}` }) },
      probe: async (client) => {
        const found: Draft[] = []
        for await (const { items } of v2Pages<PlatformItem>(client, path))
          found.push(...items.map((item) => currencyDraft(item)))
        return found
      },
      callsPerItem: { write: 1 },
    },
  ],
  notMoved: [
    {
      what: 'automatic exchange rates, where the destination takes payments in the currency',
      why: 'the platform updates those of display currencies only; the destination keeps its own rate',
    },
    {
      what: 'which currency is the default',
      why: 'prices are in it; each store keeps its own',
    },
    {
      what: 'whether a store takes payments in a currency',
      why: "the platform's API makes currencies for display only, which a warning says",
    },
  ],
  passes: [
    {
      key: 'currencies',
      label: 'Currencies',
      root: 'currencies',
      source: reading,
      destination: { ...reading, complete: true, neverEmpty: true },
      lookUpById: { address: (id) => `${path}/${id}` },
      // A currency in which the store accepts payments could not be created again.
      protects: ({ is_default, is_transactional }) => is_default === true || is_transactional === true,
      drafts: currencyDraft,
    },
  ],
})

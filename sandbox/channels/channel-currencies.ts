import { currencyTable } from '../resources/currencies.ts'
import type { Row, SandboxStore, Table } from '../store.ts'

export interface ChannelCurrencies {
  channel_id: number
  enabled_currencies: string[]
  default_currency: string
}

/** A channel without a row inherits the currencies of the store. */
export function channelCurrencyTable(store: SandboxStore): Table {
  return store.table('channel_currencies', ['channel_id'])
}

export function ownCurrencies(store: SandboxStore, channelId: number): Row | undefined {
  return channelCurrencyTable(store).find({ channel_id: channelId })[0]
}

/** The codes a channel can be given: those that the store has switched on. */
export function enabledCodes(store: SandboxStore): string[] {
  return currencyTable(store)
    .find({})
    .filter((currency) => currency.enabled !== false)
    .map((currency) => String(currency.currency_code))
}

export function currenciesOf(store: SandboxStore, channelId: number): ChannelCurrencies {
  const own = ownCurrencies(store, channelId)
  if (!own)
    return { channel_id: channelId, enabled_currencies: enabledCodes(store), default_currency: storeDefault(store) }
  // Only `save` of the assignments writes these.
  return {
    channel_id: channelId,
    enabled_currencies: own.enabled_currencies as string[],
    default_currency: String(own.default_currency),
  }
}

function storeDefault(store: SandboxStore): string {
  return String(currencyTable(store).find({ is_default: true })[0]?.currency_code ?? '')
}

import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { currencyTable, defaultCurrency } from './currencies.ts'

export interface ChannelCurrencies {
  channel_id: number
  enabled_currencies: string[]
  default_currency: string
}

/** A channel without a row inherits the store's currencies. */
export function channelCurrencyTable(store: SandboxStore): Table {
  return store.table('channel_currencies', ['channel_id'])
}

export function ownCurrencies(store: SandboxStore, channelId: number): Row | undefined {
  return channelCurrencyTable(store).find({ channel_id: channelId })[0]
}

/** The currencies that channels can have: those enabled in the store. */
export function enabledCodes(store: SandboxStore): string[] {
  return currencyTable(store)
    .find({})
    .filter((currency) => currency.enabled !== false)
    .map((currency) => String(currency.currency_code))
}

/** Leaves out currencies that the store no longer has. A channel with none left inherits the store's again. */
export function currenciesOf(store: SandboxStore, channelId: number): ChannelCurrencies {
  const known = enabledCodes(store)
  const own = ownCurrencies(store, channelId)
  const left = known.filter((code) => (own?.enabled_currencies as string[] | undefined)?.includes(code))
  const requested = String(own?.default_currency)
  return {
    channel_id: channelId,
    enabled_currencies: left.length > 0 ? left : known,
    default_currency: left.includes(requested) ? requested : (left[0] ?? storeDefault(store)),
  }
}

function storeDefault(store: SandboxStore): string {
  return String(defaultCurrency(store)?.currency_code ?? '')
}

import type { SandboxStore, Table } from '../../store/store.ts'
import { defaultCurrency } from '../channels/currencies.ts'

export function giftCertificateTable(store: SandboxStore): Table {
  return store.table('gift_certificates', [
    ...['code_key', 'order_id', 'to_name_key', 'to_email_key', 'from_name_key', 'from_email_key'],
  ])
}

/** Defaults of a new certificate. */
export function freshCertificate(store: SandboxStore, amount: unknown) {
  return {
    customer_id: 0,
    order_id: 0,
    balance: amount,
    // In Unix time, as the platform returns it.
    purchase_date: String(Math.floor(Date.now() / 1000)),
    expiry_date: '0',
    template: 'general.html',
    message: '',
    status: 'active',
    currency_code: String(defaultCurrency(store)?.currency_code ?? 'USD'),
  }
}

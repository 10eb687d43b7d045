import { paidCurrencies } from '../../entities/pricing/currencies.ts'
import type { OpenRun } from '../context/open-run.ts'
import { refusalIn } from '../core/refusals.ts'

/** Currencies in which the destination takes payments; none if it does not list them, which ends the pass that copies them. */
export async function paidCurrenciesOf({
  destination,
  lease,
}: Pick<OpenRun, 'destination' | 'lease'>): Promise<string[]> {
  try {
    return await paidCurrencies(destination, lease.stop)
  } catch (error) {
    if (!refusalIn(error)) throw error
    return []
  }
}

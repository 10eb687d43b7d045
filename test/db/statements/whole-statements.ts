import { changedAddresses } from '../../../src/db/addresses/changed-addresses.ts'
import { movedCopies, needlessRedirects } from '../../../src/db/addresses/freed-addresses.ts'
import type { InTransaction } from '../../../src/db/core/database.ts'
import { forgetListed } from '../../../src/db/ledger/destination-items.ts'
import { cancelPending } from '../../../src/db/ledger/ledger.ts'
import { createdAll } from '../../../src/db/ledger/mappings.ts'
import { findCandidates, findCopiesWithoutSource, refusedCopies } from '../../../src/db/ledger/prune.ts'
import { holdListedAddresses } from '../../../src/db/ledger/simulated-mappings.ts'
import { clearRunCopies, countStaged, levelItems } from '../../../src/db/ledger/staged-items.ts'
import { countMapped as countAllMapped } from '../../../src/db/runs/forecasts.ts'
import { countMapped } from '../../../src/db/runs/preflights.ts'
import type { ManyRows } from './many-rows.ts'

const redirects = { component: 'variants', scope: 'store' }
const lists = ({ runId }: ManyRows) => ({ runId, components: ['products', 'things'], redirects })

/** What a run asks once, or once in a phase, about all that it has. Its time may grow with the rows, and not faster. */
export const wholeStatements: Record<string, (tx: InTransaction, many: ManyRows) => Promise<unknown>> = {
  cancelPending: (tx, { runId }) => cancelPending(tx, runId),
  'countMapped of a component': (tx, { pair }) => countMapped(tx, pair, 'products'),
  'countMapped of all': (tx, { pair }) => countAllMapped(tx, pair),
  createdAll: (tx, { pair, runId }) => createdAll(tx, pair, runId, [{ scope: 'store', component: 'products' }]),
  findCandidates: (tx, { pair, runId }) => findCandidates(tx, pair, { runId, scope: 'store', component: 'products' }),
  'findCandidates, dry run': (tx, { pair, runId, dryRunId }) =>
    findCandidates(tx, { ...pair, simulatedBy: dryRunId }, { runId, scope: 'store', component: 'products' }),
  findCopiesWithoutSource: (tx, { pair, runId }) =>
    findCopiesWithoutSource(tx, pair, { runId, scope: 'store', component: 'products' }),
  refusedCopies: (tx, { pair, runId }) => refusedCopies(tx, pair, runId, { scope: 'store', component: 'products' }),
  levelItems: (tx, { runId }) => levelItems(tx, runId, 'things'),
  countStaged: (tx, { runId }) => countStaged(tx, runId, 'things'),
  holdListedAddresses: (tx, { runId }) => holdListedAddresses(tx, runId, 'products'),
  changedAddresses: (tx, { pair, runId }) => changedAddresses(tx, pair, runId, redirects),
  movedCopies: (tx, many) => movedCopies(tx, many.pair, lists(many)),
  needlessRedirects: (tx, many) => needlessRedirects(tx, many.pair, lists(many)),
  forgetListed: (tx, { runId }) => forgetListed(tx, runId),
  clearRunCopies: (tx, { runId }) => clearRunCopies(tx, runId),
}

import type { StoreInformation } from '../../bigcommerce/store-information.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { destinationClients, findPreflight, keepDestinationClient, savePreflight } from '../../db/runs/preflights.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import { entityOf, reporterOf } from '../../entities/registry.ts'
import { type Finding, findings, type PreflightFacts } from '../../model/preflight-findings.ts'
import { accountChanged, type ClientAccounts } from '../context/destination-client.ts'
import type { OpenRun } from '../context/open-run.ts'
import type { PreparedRun } from '../context/prepared-run.ts'
import { originalsOf, probeOriginals } from './picture-probe.ts'
import { clientOfHooks, readFacts, type SourceChannels } from './shop-facts.ts'

interface Stores {
  source: StoreInformation
  destination: StoreInformation
}

/** How many pictures are probed, each from a different product. */
const mostPictures = 5

/** For a run that reports no findings: it writes nothing, so neither pictures nor accounts matter. */
export const noFindings: Found = { originals: null, accounts: { first: null, present: null } }

type Found = Pick<PreparedRun, 'originals' | 'accounts'>

/**
 * Before the first phase, reports what cannot be copied from this store and where the two stores differ, one warning
 * each (F6), and finds out whether original pictures can be fetched (F1). Done once per run: later attempts read the
 * stored result.
 */
export async function reportFindings(
  context: OpenRun,
  stores: Stores,
  channels: SourceChannels,
  paid: readonly string[] | null | undefined,
): Promise<Found> {
  const { database, run, recorder } = context
  const known = await findPreflight(database, run.id)
  const clients = await destinationClients(database, context.pair)
  if (known) return { originals: known.originals, accounts: { first: clients.first, present: clients.last } }
  const present = (await clientOfHooks(context)) ?? clients.last
  const accounts = { first: clients.first ?? present, present }
  const { facts, originals } = await findOut(context, stores, channels, { accounts, paid })
  const issues = findings(facts).flatMap((finding) => issueOf(context, finding))
  await recorder.record(async (tx, tally) => {
    await savePreflight(tx, run.id, { originals })
    if (present !== null) await keepDestinationClient(tx, context.pair, run.id, present)
    await saveIssues(tx, run, issues)
    for (const { component } of issues) tally.add(component, 'warnings')
  })
  return { originals, accounts }
}

function issueOf({ run }: OpenRun, finding: Finding): IssueToWrite[] {
  const where = reportedAt(run.phases, finding)
  if (!where) return []
  const sourceId = 'about' in finding ? finding.about : where.component
  const item = { name: null, sku: null, path: null }
  const { code, message, remedy } = finding
  return [{ ...where, severity: 'warning', code, message, remedy, sourceId, item }]
}

/** The phase and component under which a run over these phases reports a finding; undefined if none of them does. */
export function reportedAt(
  phases: readonly string[],
  finding: Finding,
): { phase: string; component: string } | undefined {
  const component = 'about' in finding ? reporterOf(finding.about).component.key : finding.component
  const entity = entityOf(component)
  return entity && phases.includes(entity.key) ? { phase: entity.key, component } : undefined
}

async function findOut(
  context: OpenRun,
  stores: Stores,
  channels: SourceChannels,
  { accounts, paid }: { accounts: ClientAccounts; paid: readonly string[] | null | undefined },
): Promise<{ facts: PreflightFacts; originals: string | null }> {
  const { facts, products } = await readFacts(context, stores, channels, paid)
  const { looked, served } = await probeOriginals(context, originalsOf(stores.source), picturesOf(products))
  const originals = looked > 0 && served === looked
  const pictures = { looked, served, originals }
  return {
    facts: { ...facts, clientChanged: accountChanged(accounts), pictures },
    originals: originals ? originalsOf(stores.source) : null,
  }
}

/** Takes pictures of different products, because those of one product were often uploaded together. */
function picturesOf(products: PlatformItem[]): PlatformItem[] {
  const first = products.flatMap(({ images }) => (Array.isArray(images) ? images.slice(0, 1) : []))
  const step = Math.max(1, Math.floor(first.length / mostPictures))
  return first.filter((_, at) => at % step === 0).slice(0, mostPictures)
}

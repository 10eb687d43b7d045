import { offsetPages } from '../../bigcommerce/pages.ts'
import { type ChangedAddress, changedAddresses } from '../../db/addresses/changed-addresses.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { saveMappings } from '../../db/ledger/mappings.ts'
import { oldAddresses } from '../../entities/content/redirects.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { calledItem } from '../../entities/item-words.ts'
import { entities } from '../../entities/registry.ts'
import { destinationId } from '../../model/destination-id.ts'
import type { RunContext } from '../context/context.ts'
import { same } from '../core/pairing.ts'
import type { Entry } from '../core/recorder.ts'
import { openWriter } from '../dry-run/open-writer.ts'
import { unlessRefused } from '../read/refused-list.ts'
import type { CreateRequest, Outcome, Writes } from '../send/writes.ts'

const { entity, pass, component } = oldAddresses

/**
 * Creates a redirect from the source address of every copy that got another one, for links and search engines. Only a
 * run that copies redirects may create one (C4), and existing redirects stay. The warnings alone record which redirects
 * are needed, and the call may be repeated, so a later attempt creates those that are missing.
 */
export async function keepAddresses(context: RunContext): Promise<void> {
  const { run, database, pair, references } = context
  if (run.mode !== 'full' || !run.phases.includes(entity.key)) return
  const scope = references.scope(component.key)
  const changes = await changedAddresses(database, pair, run.id, { component: component.key, scope })
  if (changes.length === 0) return
  const writer = openWriter(context, (wait) => wait())
  await unlessRefused(context, { entity, pass }, async () => {
    for (const change of changes) await keepOne(context, writer, change)
  })
}

async function keepOne(context: RunContext, writer: Writes, change: ChangedAddress): Promise<void> {
  context.lease.stop.throwIfAborted()
  const onChannel = await onlyChannelOf(context, change)
  const sites = context.sites.paired.filter(({ channelId }) => onChannel === undefined || channelId === onChannel)
  for (const { id } of sites) {
    const desired = oldAddresses.draft(change, id)
    if (!desired) continue
    const existing = await existingAt(context, desired, id)
    if (existing === undefined) await make(context, writer, { change, desired })
    else await report(context, { change, desired, outcome: leadsElsewhere(desired, existing) })
  }
}

type Redirected = Exclude<Outcome, { kind: 'existing' }>

function redirected(desired: Draft, outcome: Outcome): Redirected {
  return outcome.kind === 'existing' ? leadsElsewhere(desired, outcome.existing) : outcome
}

/** The outcome where a redirect exists: it may be ours, from an attempt that died before recording it. */
function leadsElsewhere(desired: Draft, existing: Draft): Redirected {
  const saved = { ...existing, id: destinationId(existing.id) }
  if (same(existing.compare, desired.compare)) return { kind: 'saved', saved, partly: null }
  const title = 'A redirect from there leads elsewhere already'
  return { kind: 'refused', refusal: { title, errors: {}, method: 'GET', path: '', httpStatus: 0 } }
}

/** The existing redirect from this address of the site. */
async function existingAt(context: RunContext, desired: Draft, siteId: number): Promise<Draft | undefined> {
  const { path, query } = oldAddresses.list(siteId, desired)
  const options = { signal: context.lease.stop }
  for await (const { items } of offsetPages<PlatformItem>(context.destination, path, query, options)) {
    const found = items.map(oldAddresses.read).find(({ keys }) => keys[0] === desired.keys[0])
    if (found) return found
  }
  return undefined
}

interface Kept {
  change: ChangedAddress
  desired: Draft
}

async function make(context: RunContext, writer: Writes, kept: Kept): Promise<void> {
  const { desired } = kept
  const request: CreateRequest = {
    draft: desired,
    parentId: '',
    parent: null,
    pass: pass.key,
    rootId: desired.id,
    parentIsNew: false,
    read: oldAddresses.read,
    entry: (outcome) => entryOf(context, { ...kept, outcome: redirected(desired, outcome) }),
  }
  await writer.create(component, [request])
}

function report(context: RunContext, ended: Kept & { outcome: Redirected }): Promise<void> {
  return context.recorder.record(entryOf(context, ended))
}

/** Maps the redirect although it is no copy, or it would be pruned as an item that only the destination has (D4). */
function entryOf(context: RunContext, { change, desired, outcome }: Kept & { outcome: Redirected }): Entry {
  return async (tx, tally) => {
    if (outcome.kind === 'saved')
      await saveMappings(tx, context.pair, [
        {
          scope: context.references.scope(desired.component),
          component: desired.component,
          sourceId: desired.id,
          destinationId: outcome.saved.id,
          origin: 'created',
          owed: [],
          draftChecksum: null,
          destinationChecksum: null,
          runId: context.run.id,
        },
      ])
    const fresh = await saveIssues(tx, context.run, [issueOf(change, desired, outcome)])
    for (const { component } of fresh) tally.add(component, 'warnings')
  }
}

function issueOf(change: ChangedAddress, desired: Draft, outcome: Redirected): IssueToWrite {
  const called = calledItem({ component: change.component, id: change.sourceId, name: change.item.name })
  const at = {
    phase: entity.key,
    component: desired.component,
    severity: 'warning' as const,
    sourceId: desired.id,
    item: change.item,
  }
  if (outcome.kind === 'saved')
    return {
      ...at,
      code: 'address_redirected',
      destinationId: outcome.saved.id,
      message: `A redirect leads from ${change.path}, the address of ${called} in the source, to where it is now.`,
    }
  const { method, path, httpStatus, title, errors } = outcome.refusal
  return {
    ...at,
    code: 'address_lost',
    message: `Nothing leads from ${change.path}, the address of ${called} in the source, to where it is now: ${title}.`,
    platform: httpStatus === 0 ? null : { method, path, status: httpStatus, title, errors },
  }
}

/** The only storefront that has the item; undefined if all may have it. With one storefront, this needs no call. */
async function onlyChannelOf(context: RunContext, { component, destinationId }: ChangedAddress) {
  if (context.sites.paired.length < 2) return undefined
  const channelOf = entities.flatMap((entity) => entity.components).find(({ key }) => key === component)?.channelOf
  return channelOf ? channelOf(context.destination, destinationId, context.defaults) : undefined
}

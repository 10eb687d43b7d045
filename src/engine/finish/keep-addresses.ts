import { offsetPages } from '../../bigcommerce/pages.ts'
import { type ChangedAddress, changedAddresses } from '../../db/addresses/changed-addresses.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { saveMappings } from '../../db/ledger/mappings.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import { componentOf, entities } from '../../entities/registry.ts'
import { destinationId } from '../../model/destination-id.ts'
import type { RunContext } from '../context/context.ts'
import { same } from '../core/pairing.ts'
import type { Entry } from '../core/recorder.ts'
import { openWriter } from '../dry-run/open-writer.ts'
import { unlessRefused } from '../read/refused-list.ts'
import type { CreateRequest, Outcome, Writes } from '../send/writes.ts'

/**
 * Creates a redirect from the old address of every copy that has another one, for links and search engines. Only a run that copies
 * redirects may create one (C4), and an existing one stays. Warnings alone say which are needed and the call may be repeated, so a
 * later attempt creates those that are missing.
 */
export async function keepAddresses(context: RunContext): Promise<void> {
  const { run, database, pair, references } = context
  const entity = entities.find(({ key, oldAddress }) => oldAddress !== undefined && run.phases.includes(key))
  if (run.mode !== 'full' || !entity?.oldAddress) return
  const { component } = entity.oldAddress
  const scope = references.scope(component)
  const changes = await changedAddresses(database, pair, run.id, { component, scope })
  const writer = openWriter(context, (wait) => wait())
  const [pass] = entity.passes
  if (!pass || changes.length === 0) return
  await unlessRefused(context, { entity, pass }, async () => {
    for (const change of changes) await keepOne(context, entity, writer, change)
  })
}

async function keepOne(context: RunContext, entity: Entity, writer: Writes, change: ChangedAddress): Promise<void> {
  const { oldAddress } = entity
  if (!oldAddress) return
  context.lease.stop.throwIfAborted()
  const onChannel = await onlyChannelOf(context, change)
  const sites = context.sites.paired.filter(({ channelId }) => onChannel === undefined || channelId === onChannel)
  for (const { id } of sites) {
    const desired = oldAddress.draft(change, id)
    if (!desired) continue
    const existing = await existingAt(context, oldAddress, desired, id)
    if (existing === undefined) await make(context, entity, writer, { change, desired })
    else await report(context, entity, { change, desired, outcome: leadsElsewhere(desired, existing) })
  }
}

type Redirected = Exclude<Outcome, { kind: 'existing' }>

function redirected(desired: Draft, outcome: Outcome): Redirected {
  return outcome.kind === 'existing' ? leadsElsewhere(desired, outcome.existing) : outcome
}

/** An existing redirect: ours, from an attempt that died before it was recorded, or another one. */
function leadsElsewhere(desired: Draft, existing: Draft): Redirected {
  const saved = { ...existing, id: destinationId(existing.id) }
  if (same(existing.compare, desired.compare)) return { kind: 'saved', saved, partly: null }
  const title = 'A redirect from there leads elsewhere already'
  return { kind: 'refused', refusal: { title, errors: {}, method: 'GET', path: '', httpStatus: 0 } }
}

/** The present redirect from this address of the site. */
async function existingAt(
  context: RunContext,
  { read, list }: NonNullable<Entity['oldAddress']>,
  desired: Draft,
  siteId: number,
): Promise<Draft | undefined> {
  const { path, query } = list(siteId, desired)
  const options = { signal: context.lease.stop }
  for await (const { items } of offsetPages<PlatformItem>(context.destination, path, query, options)) {
    const found = items.map(read).find(({ keys }) => keys[0] === desired.keys[0])
    if (found) return found
  }
  return undefined
}

interface Kept {
  change: ChangedAddress
  desired: Draft
}

async function make(context: RunContext, entity: Entity, writer: Writes, kept: Kept): Promise<void> {
  const { desired } = kept
  const component = componentOf(desired.component)
  const [pass] = entity.passes
  const request: CreateRequest = {
    draft: desired,
    parentId: '',
    parent: null,
    pass: pass?.key ?? '',
    rootId: desired.id,
    parentIsNew: false,
    read: entity.oldAddress?.read ?? (() => desired),
    entry: (outcome) => entryOf(context, entity, { ...kept, outcome: redirected(desired, outcome) }),
  }
  await writer.create(component, [request])
}

function report(context: RunContext, entity: Entity, ended: Kept & { outcome: Redirected }): Promise<void> {
  return context.recorder.record(entryOf(context, entity, ended))
}

/** The redirect is a copy of nothing, but mapped: it must not be pruned for being at the destination only (D4). */
function entryOf(
  context: RunContext,
  entity: Entity,
  { change, desired, outcome }: Kept & { outcome: Redirected },
): Entry {
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
    const fresh = await saveIssues(tx, context.run, [issueOf(entity, change, desired, outcome)])
    for (const { component } of fresh) tally.add(component, 'warnings')
  }
}

function issueOf({ key }: Entity, change: ChangedAddress, desired: Draft, outcome: Redirected): IssueToWrite {
  const called = `"${change.item.name ?? change.sourceId}" (source ${change.sourceId})`
  const at = {
    phase: key,
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

/** The storefront that alone has the item; undefined when all of them may have it. With one storefront no call is needed. */
async function onlyChannelOf(context: RunContext, { component, destinationId }: ChangedAddress) {
  if (context.sites.paired.length < 2) return undefined
  const channelOf = entities.flatMap((entity) => entity.components).find(({ key }) => key === component)?.channelOf
  return channelOf ? channelOf(context.destination, destinationId, context.defaults) : undefined
}

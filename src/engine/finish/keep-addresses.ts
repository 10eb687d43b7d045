import { offsetPages } from '../../bigcommerce/pages.ts'
import { type ChangedAddress, changedAddresses } from '../../db/addresses/changed-addresses.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { saveMappings } from '../../db/ledger/mappings.ts'
import type { Draft, Entity, PlatformItem } from '../../entities/core/define.ts'
import { componentOf, entities } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { same } from '../core/pairing.ts'
import type { Entry } from '../core/recorder.ts'
import { openWriter } from '../dry-run/open-writer.ts'
import type { CreateRequest, Outcome, Writes } from '../send/writes.ts'

/**
 * What could not keep its address is led to from the old one: links and search engines go on finding it. Only what has a redirect
 * in its scope may make one (C4), and one that leads elsewhere already stays. Found out from the warnings alone, and the call may
 * be sent again, so that whoever takes the run over makes what is still missing.
 */
export async function keepAddresses(context: RunContext): Promise<void> {
  const { run, database, pair, references } = context
  const entity = entities.find(({ key, oldAddress }) => oldAddress !== undefined && run.phases.includes(key))
  if (run.mode !== 'full' || !entity?.oldAddress) return
  const { component } = entity.oldAddress
  const scope = references.scope(component)
  const changes = await changedAddresses(database, pair, run.id, { component, scope })
  const writer = openWriter(context, (wait) => wait())
  for (const change of changes) await keepOne(context, entity, writer, change)
}

async function keepOne(context: RunContext, entity: Entity, writer: Writes, change: ChangedAddress): Promise<void> {
  const { oldAddress } = entity
  if (!oldAddress) return
  context.lease.stop.throwIfAborted()
  const onChannel = await channelOf(context, change)
  const sites = context.sites.paired.filter(({ channelId }) => onChannel === undefined || channelId === onChannel)
  for (const { id } of sites) {
    const desired = oldAddress.draft(change, id)
    if (!desired) continue
    const existing = await existingAt(context, oldAddress, desired, id)
    if (existing === undefined) await make(context, entity, writer, { change, desired })
    else await report(context, entity, { change, desired, outcome: leadsElsewhere(desired, existing) })
  }
}

/** Made by a process that died before it wrote that down, or somebody else's. */
function leadsElsewhere(desired: Draft, existing: Draft): Outcome {
  if (same(existing.compare, desired.compare)) return { kind: 'saved', saved: existing, partly: null }
  const title = 'A redirect from there leads elsewhere already'
  return { kind: 'refused', refusal: { title, errors: {}, method: 'GET', path: '', httpStatus: 0 } }
}

/** The redirect that begins at this address of the site now. */
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
    entry: (outcome) => entryOf(context, entity, { ...kept, outcome }),
  }
  await writer.create(component, [request])
}

function report(context: RunContext, entity: Entity, ended: Kept & { outcome: Outcome }): Promise<void> {
  return context.recorder.record(entryOf(context, entity, ended))
}

/** What is made is the copy of nothing, and yet ours: it is never deleted for being at the destination only (D4). */
function entryOf(
  context: RunContext,
  entity: Entity,
  { change, desired, outcome }: Kept & { outcome: Outcome },
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

function issueOf({ key }: Entity, change: ChangedAddress, desired: Draft, outcome: Outcome): IssueToWrite {
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

/** The storefront that alone has the item; undefined when all of them may. A store with one storefront need not be asked. */
async function channelOf(context: RunContext, { component, destinationId }: ChangedAddress) {
  if (context.sites.paired.length < 2) return undefined
  const ask = entities.flatMap((entity) => entity.components).find(({ key }) => key === component)?.channelOf
  return ask ? ask(context.destination, destinationId, context.defaults) : undefined
}

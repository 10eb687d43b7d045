import { type Mapping, saveMappings } from '../db/mappings.ts'
import { MissingReference, type Pass, type PlatformItem } from '../entities/define.ts'
import { componentOf, namedByOthers } from '../entities/registry.ts'
import type { RunContext } from './context.ts'
import { namedBy, type Resolved } from './references.ts'

type Named = { component: string; sourceId: string }

/**
 * What hangs on an item that was there before is mapped nowhere, because such an item is not looked into. Where others name it
 * (a promotion names variants), it is looked up on both sides and taken as found.
 *
 * @returns whether anything was found: then the page resolves otherwise.
 */
export async function learnNamedChildren(
  context: RunContext,
  pass: Pass,
  items: PlatformItem[],
  resolved: (Resolved | MissingReference)[],
): Promise<boolean> {
  const missing = resolved.flatMap((one, at) => missingOf(pass, items[at] as PlatformItem, one))
  const distinct = [...new Map(missing.map((one) => [`${one.component}:${one.sourceId}`, one])).values()]
  const found = (await Promise.all(distinct.map((one) => lookUp(context, one)))).flatMap((mapping) => mapping ?? [])
  if (found.length > 0) await context.recorder.record((tx) => saveMappings(tx, context.pair, found))
  return found.length > 0
}

function missingOf(pass: Pass, item: PlatformItem, one: Resolved | MissingReference): Named[] {
  const named =
    one instanceof MissingReference
      ? namedBy(pass, item, one.component).map((sourceId) => ({ component: one.component, sourceId }))
      : one.missing.map((owed) => {
          const [, component = '', ...id] = owed.split(':')
          return { component, sourceId: id.join(':') }
        })
  return named.filter(({ component }) => namedByOthers.has(component))
}

async function lookUp(context: RunContext, { component: key, sourceId }: Named): Promise<Mapping | undefined> {
  const child = namedByOthers.get(key)
  const there = await child?.find(context.source, sourceId)
  if (!child || !there) return undefined
  const owner = { component: child.on, sourceId: there.ownerId }
  const copy = (await context.references.mappings([owner])).get(`${owner.component}:${owner.sourceId}`)
  if (copy?.origin !== 'adopted') return undefined
  const { keys } = there.draft
  const beside = await componentOf(key).probe?.(context.destination, { keys: [keys], parentIds: [copy.destinationId] })
  const standing = beside?.find((rival) => rival.keys.some((one) => keys.includes(one)))
  if (!standing) return undefined
  return {
    scope: context.references.scope(key),
    component: key,
    sourceId,
    destinationId: standing.id,
    origin: 'adopted',
    owed: [],
    draftChecksum: null,
    destinationChecksum: null,
    runId: context.run.id,
  }
}

import { itemsIn } from '../../bigcommerce/pages.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { RunContext } from '../context/context.ts'
import { inParts } from '../core/in-parts.ts'
import { asStorefrontSees } from '../scope/run-part.ts'
import { comparedReading, type ListedBody, listedItem } from './destination-lister.ts'
import { itemsInRanges, plainPages, wholeItems } from './source-reader.ts'

/** Ids in one address: with more of them some servers refuse its length. */
const idsAtOnce = 50

/** Items as they are now, whatever was read of them before. Those that are gone are missing from the answer. */
export async function readNow(
  context: RunContext,
  side: 'source' | 'destination',
  pass: Pass,
  ids: string[],
  { compares = true } = {},
): Promise<PlatformItem[]> {
  if (ids.length === 0) return []
  const reading = side === 'source' ? { ...pass.source, ...pass.byIds } : comparedReading(pass, compares)
  const parameter = idsParameter(pass)
  const found: PlatformItem[] = []
  if (parameter === 'range' && pass.byIds)
    found.push(...(await itemsInRanges(context, side, { ...pass.byIds, ...reading }, ids)))
  else if (parameter === undefined) {
    const requested = new Set(ids)
    for await (const { items } of plainPages(context, side, reading))
      found.push(...items.filter((item) => requested.has(String(item[reading.idField]))))
  } else
    for (const some of inParts(ids, Math.min(idsAtOnce, reading.limit))) {
      const query = { ...reading.query, [parameter]: some.join(','), limit: reading.limit }
      const answer = await context[side].get(reading.path, query, { signal: context.lease.stop })
      found.push(...itemsIn<PlatformItem>(answer, reading.path))
    }
  return asStorefrontSees(context, side, pass, await wholeItems(context, side, pass, found))
}

/** The filter by which a list gives items by their ids; undefined when some are only found by reading all. */
export function idsParameter({ byIds, picks, source }: Pass): string | undefined {
  if (byIds) return byIds.idsParameter
  return picks?.idsParameter === `${source.idField}:in` ? picks.idsParameter : undefined
}

/** Which of the items stand at the destination, as its list would show them. */
export async function existingByIds(
  context: RunContext,
  pass: Pass,
  destinationIds: string[],
  { compares }: { compares: boolean },
): Promise<Map<string, ListedBody>> {
  const items = await readNow(context, 'destination', pass, destinationIds, { compares })
  return new Map(
    items.map((item) => {
      const { destinationId, body } = listedItem(context, pass, item, compares)
      // listedItem makes it.
      return [destinationId, body as ListedBody]
    }),
  )
}

import type { StoreInformation } from '../../bigcommerce/store-information.ts'
import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import { imageFile, originalAddress } from '../../entities/core/image-file.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { reporterOf } from '../../entities/registry.ts'
import { inParts } from '../../model/in-parts.ts'
import type { RunContext } from '../context/context.ts'
import { originalsOf, pictureSize } from '../preflight/picture-probe.ts'
import { unlessRefused } from '../read/refused-list.ts'
import { nextPicks, readsPicks } from '../scope/picked-scope.ts'
import { filterOfPicks } from '../scope/storefront-scope.ts'

/**
 * How many pictures are compared by size. More would take too long, although they do not count towards the API quota.
 */
const mostPictures = 200
/** The products that the sample is taken from: as many as fit on a page with their pictures. */
const mostProducts = 100
/** How many pairs are probed at a time; not more, as the shops have shoppers to serve. */
const atOnce = 8
const { entity: owner, component: picture } = reporterOf('originals')
const checkpointKey = 'deep-images'

interface Pair {
  source: PlatformItem
  destination: PlatformItem
}

/**
 * For `deepImages`: compares the sizes of original pictures, because a reduced copy has the same name. It takes a
 * sample and only warns (F1).
 */
export async function compareImageSizes(
  context: RunContext,
  stores: { source: StoreInformation; destination: StoreInformation },
): Promise<void> {
  const { database, run } = context
  if ((await readCheckpoint(database, run.id, checkpointKey)).finished) return
  const pass = owner.passes.find(({ root }) => root === owner.key)
  if (pass) await unlessRefused(context, { entity: owner, pass }, () => compareSample(context, pass, stores))
}

async function compareSample(
  context: RunContext,
  pass: Pass,
  stores: { source: StoreInformation; destination: StoreInformation },
): Promise<void> {
  const { run, recorder } = context
  const pairs = await samplePairs(context, pass)
  const issues: IssueToWrite[] = []
  let measured = 0
  for (const some of inParts(pairs, atOnce)) {
    const sizes = await Promise.all(some.map((pair) => sizesOf(context, stores, pair)))
    for (const [index, size] of sizes.entries()) {
      const pair = some[index]
      if (!size || !pair) continue
      measured++
      if (size[0] !== size[1]) issues.push(differs(pair, size))
    }
  }
  if (pairs.length > 0 && measured === 0) issues.push(notCompared(pairs.length))
  await recorder.record(async (tx, tally) => {
    await saveIssues(tx, run, issues)
    tally.add(picture.key, 'warnings', issues.length)
    await writeCheckpoint(tx, run.id, checkpointKey, { position: '', pages: 0, finished: true })
  })
}

/** Pictures of the first products in scope that have copies. */
async function samplePairs(context: RunContext, pass: Pass): Promise<Pair[]> {
  const { source, destination, references, lease } = context
  const read = async (client: typeof source, query: Record<string, string | number>) =>
    (
      await client.get<{ data: PlatformItem[] }>(
        '/v3/catalog/products',
        { include: 'images', limit: mostProducts, ...query },
        { signal: lease.stop },
      )
    ).body.data
  const filter = await filterOfPicks(context, pass)
  const picks = readsPicks(context, pass) ? await nextPicks(context, pass, '', mostProducts) : null
  if (filter === null || picks?.length === 0) return []
  const products = await read(source, { ...filter, ...(picks && { 'id:in': picks.join(',') }) })
  const pictures = products.flatMap(imagesOf).slice(0, mostPictures)
  const known = await references.mappings([
    ...products.map(({ id }) => ({ component: owner.key, sourceId: String(id) })),
    ...pictures.map(({ id }) => ({ component: picture.key, sourceId: String(id) })),
  ])
  const copies = products.flatMap(({ id }) => known.get(`${owner.key}:${id}`)?.destinationId ?? [])
  if (copies.length === 0) return []
  const existing = new Map(
    (await read(destination, { 'id:in': copies.join(',') }))
      .flatMap(imagesOf)
      .map((image) => [String(image.id), image]),
  )
  return pictures.flatMap((image) => {
    const copy = existing.get(known.get(`${picture.key}:${image.id}`)?.destinationId ?? '')
    return copy ? { source: image, destination: copy } : []
  })
}

function imagesOf({ images }: PlatformItem): PlatformItem[] {
  return Array.isArray(images) ? images : []
}

/** Undefined when one of the two shops does not show the size. */
async function sizesOf(
  context: RunContext,
  stores: { source: StoreInformation; destination: StoreInformation },
  pair: Pair,
): Promise<[number, number] | undefined> {
  const size = async (side: 'source' | 'destination') => {
    const address = originalAddress(originalsOf(stores[side]), pair[side])
    return (address && (await pictureSize(context, address))) ?? -1
  }
  const [source, destination] = await Promise.all([size('source'), size('destination')])
  return Number(source) > 0 && Number(destination) > 0 ? [Number(source), Number(destination)] : undefined
}

const about = { phase: owner.key, component: picture.key, severity: 'warning' } as const

function differs({ source, destination }: Pair, [ours, theirs]: [number, number]): IssueToWrite {
  const name = imageFile(source.image_file)
  const message = `The original of "${name}" (source ${source.id}) has ${ours} bytes in the source store and ${theirs} in the destination store.`
  const item = { name, sku: null, path: null }
  return {
    ...about,
    code: 'picture_differs',
    message,
    sourceId: String(source.id),
    item,
    destinationId: String(destination.id),
  }
}

function notCompared(pictures: number): IssueToWrite {
  const none = pictures === 1 ? 'The only picture could not' : `None of ${pictures} pictures could`
  const message = `${none} be compared by size: the shops do not serve the originals of both sides.`
  const item = { name: null, sku: null, path: null }
  return { ...about, code: 'picture_differs', message, sourceId: 'originals', item }
}

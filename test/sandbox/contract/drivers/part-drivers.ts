import { NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { at, type Driver, drive, type Exchange, pathOf } from './driver.ts'

/** A thing that belongs to another and has the five calls: list, make, show, change, remove. */
export interface PartKind {
  /** Path of what it belongs to, e.g. `/v3/catalog/brands/:brandId`, and how one is found or made. */
  ownerPath: string
  owner(shop: Shop): Promise<number[]>
  folder: string
  parameter: string
  part(shop: Shop, owner: number[]): Record<string, unknown> | Promise<Record<string, unknown>>
  change: Record<string, unknown>
  bad: Record<string, unknown>
  /** Further ways for a new one to be refused. */
  refused?: (shop: Shop) => Promise<Exchange>
  badChange?: Record<string, unknown>
  /** A form that makes or changes one, where the calls take forms. */
  form?: () => FormData
  /** Whether an owner that has none is a success of the list, too. */
  listsNone?: boolean
}

/** Makes a part and says the ids on the way to it. */
export async function aPart(shop: Shop, kind: PartKind): Promise<number[]> {
  const ids = await kind.owner(shop)
  const path = pathOf(`${kind.ownerPath}/${kind.folder}`, { ids })
  const { id } = await shop.made('POST', path, await kind.part(shop, ids))
  return [...ids, id]
}

export function partDrivers(kind: PartKind): Driver[] {
  const { folder, parameter, part, change, bad, refused, badChange, form, listsNone, owner, ownerPath } = kind
  const [all, one] = [`${ownerPath}/${folder}`, `${ownerPath}/${folder}/:${parameter}`]
  const made = (shop: Shop) => aPart(shop, kind)
  const nobodys = async (shop: Shop) => (await owner(shop)).map(() => NO_SUCH_ID)
  const noPart = async (shop: Shop) => [...(await owner(shop)), NO_SUCH_ID]
  return [
    drive(
      `GET ${all}`,
      [at(made), ...(listsNone ? [async (shop: Shop) => ({ ids: await owner(shop) })] : [])],
      at(nobodys),
    ),
    drive(
      `POST ${all}`,
      [
        async (shop) => {
          const ids = await owner(shop)
          return { ids, body: await part(shop, ids) }
        },
        ...(form ? [async (shop: Shop) => ({ ids: await owner(shop), body: form() })] : []),
      ],
      [
        async (shop) => {
          const ids = await owner(shop)
          return { ids: ids.map(() => NO_SUCH_ID), body: await part(shop, ids) }
        },
        at(owner, { body: bad }),
        ...(refused ? [refused] : []),
      ],
    ),
    drive(`GET ${one}`, at(made), at(noPart)),
    drive(
      `PUT ${one}`,
      [at(made, { body: change }), ...(form ? [async (shop: Shop) => ({ ids: await made(shop), body: form() })] : [])],
      [
        at(noPart, { body: change }),
        ...(badChange ? [async (shop: Shop) => ({ ids: await made(shop), body: badChange })] : []),
      ],
    ),
    drive(`DELETE ${one}`, at(made), at(noPart)),
  ]
}

import { shownName } from '../../settings-pages.ts'

interface Named {
  name: string | null
  sku: string | null
}

export function nameOr(component: string, { name, sku }: Named, id: string | null): string {
  return shownName(component, name) ?? sku ?? `Id ${id}`
}

interface Props {
  component: string
  item: Named
  /** Displayed if the item has no name. */
  id: string | null
  /** What distinguishes the item from others with the same name. By default its SKU. */
  below?: string | null
}

/** An item in a list of a migration. */
export function ItemCell({ component, item, id, below = item.sku }: Props) {
  const name = nameOr(component, item, id)
  return (
    <>
      <bdi>{name}</bdi>
      {below !== null && below !== name && (
        <small>
          <bdi>{below}</bdi>
        </small>
      )}
    </>
  )
}

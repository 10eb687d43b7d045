interface Named {
  name: string | null
  sku: string | null
}

export function nameOr({ name, sku }: Named, id: string | null): string {
  return name ?? sku ?? `Id ${id}`
}

interface Props {
  item: Named
  /** Of an item without a name. */
  id: string | null
  /** What tells it apart from others of its name; by default its SKU. */
  below?: string | null
}

/** How lists of a migration show an item. */
export function ItemCell({ item, id, below = item.sku }: Props) {
  const name = nameOr(item, id)
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

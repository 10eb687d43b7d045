/** Names of categories, each with its subcategories. */
export interface CategoryPlan {
  [name: string]: CategoryPlan
}

/** Six categories on three levels. */
export const TINY_CATEGORIES: CategoryPlan = {
  Apparel: { Shoes: { Sneakers: {} }, Shirts: {} },
  Home: { Kitchen: {} },
}

const SHOES: CategoryPlan = { Sneakers: { Running: {}, Trail: {} }, Boots: {}, Sandals: {} }

/**
 * Sixty categories on four levels. The same names appear below different parents (Men/Shoes, Women/Shoes, Kids/Shoes),
 * so a copy that looks up categories by name alone puts products in the wrong department.
 */
export const SMALL_CATEGORIES: CategoryPlan = {
  Men: {
    Shoes: SHOES,
    Clothing: { Shirts: { Casual: {}, Dress: {} }, Trousers: {}, Jackets: {} },
    Accessories: { Belts: {}, Hats: {} },
  },
  Women: {
    Shoes: { ...SHOES, Heels: {} },
    Clothing: { Shirts: { Casual: {}, Dress: {} }, Dresses: {}, Jackets: {} },
    Accessories: { Bags: {}, Scarves: {} },
  },
  Kids: { Shoes: { Sneakers: {}, Sandals: {} }, Toys: { 'Building Sets': {}, Puzzles: {} } },
  'Home & Garden': {
    Kitchen: { Cookware: { Pans: {}, Pots: {} }, Knives: {} },
    Bath: {},
    Bedroom: { Bedding: {}, Lighting: {} },
  },
  Outdoor: {
    Camping: { Tents: {}, Stoves: {} },
    Cycling: { Helmets: {}, Lights: {} },
    Climbing: { Ropes: {}, Harnesses: {} },
  },
}

const DEPARTMENTS = [
  ...['Men', 'Women', 'Kids', 'Home & Garden', 'Outdoor', 'Pets', 'Office', 'Sport', 'Beauty', 'Music', 'Travel'],
  'Prélude',
]
const SECTIONS = [
  ...['Shoes', 'Clothing', 'Accessories', 'New In', 'Gifts', 'Repair & Care', 'Bags', 'Essentials', 'Workshop'],
]
const SHELVES = ['Classic', 'Summer', 'Winter', 'Limited Editions', 'Last Pieces']

/**
 * Twelve departments with the same sections and shelves, as in large stores, so at least twelve categories share each
 * name.
 *
 * @param corners the subcategories of every shelf
 */
export function departments(sections: number, shelves: number, corners: readonly string[]): CategoryPlan {
  const named = (names: readonly string[], below: () => CategoryPlan) =>
    Object.fromEntries(names.map((name) => [name, below()]))
  const section = () => named(SHELVES.slice(0, shelves), () => named(corners, () => ({})))
  return named(DEPARTMENTS, () => named(SECTIONS.slice(0, sections), section))
}

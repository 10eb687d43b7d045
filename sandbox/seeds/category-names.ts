/** A category's name and what is below it. */
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
 * Sixty categories on four levels. The same names come back under different parents (Men/Shoes, Women/Shoes, Kids/Shoes):
 * a copy that looks a category up by its name alone puts products in the wrong department.
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

/** Words for made-up names. Each name is a mood, a material and a thing. */
const MOODS = [
  ...[
    'Amber',
    'Brisk',
    'Cinder',
    'Dapper',
    'Ember',
    'Fjord',
    'Gentle',
    'Harbour',
    'Ivory',
    'Jolly',
    'Kindred',
    'Lunar',
  ],
  ...[
    'Meadow',
    'Nimble',
    'Ochre',
    'Prairie',
    'Quiet',
    'Rambling',
    'Solstice',
    'Tidal',
    'Umbra',
    'Velvet',
    'Wandering',
    'Zesty',
  ],
  ...['Café', 'Åre', 'Señorita', 'Überland', 'Żubr', 'Čapek', '和風', 'Éclair'],
] as const

const MATERIALS = [
  ...['Linen', 'Merino', 'Oak', 'Enamel', 'Canvas', 'Cork', 'Walnut', 'Copper', 'Felt', 'Bamboo', 'Steel', 'Cotton'],
  ...['Leather-Free', '“Cloud” Foam', '50/50 Blend', 'Stoneware'],
] as const

const THINGS = [
  ...['Sneaker', 'Shirt', 'Jacket', 'Mug', 'Pan', 'Tent', 'Backpack', 'Lamp', 'Blanket', 'Notebook', 'Helmet', 'Scarf'],
  ...['Kettle', 'Stool', 'Puzzle', 'Bottle', 'Belt & Buckle', "Baker's Apron", 'Towel (Set of 2)', 'Cutting Board'],
] as const

/**
 * The name of the n-th product. All 32 x 20 x 16 combinations are used once before any of them repeats with a series
 * number.
 */
export function productName(n: number): string {
  const mood = MOODS[n % MOODS.length]
  const thing = THINGS[(n + Math.floor(n / MOODS.length)) % THINGS.length]
  const round = Math.floor(n / (MOODS.length * THINGS.length))
  const material = MATERIALS[(n + round) % MATERIALS.length]
  const series = Math.floor(n / (MOODS.length * THINGS.length * MATERIALS.length))
  return `${mood} ${material} ${thing}${series === 0 ? '' : ` No. ${series + 1}`}`
}

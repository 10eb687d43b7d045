/**
 * Forty brands that do not exist. Accents, an ampersand, an apostrophe and a dot are included because real stores have
 * them.
 */
const BRAND_NAMES: string[] = [
  ...[
    'Northfold',
    'Acme Outfitters',
    'Brindle & Oak',
    'Café Lumen',
    "Tilly's Workshop",
    'Ostrava Goods',
    'Pell Mercer',
    'Quillon',
  ],
  ...[
    'Rustwater',
    'Sable Ridge',
    'Tamarind Lane',
    'Umber Works',
    'Vantage Loop',
    'Wickerby',
    'Xanten Supply',
    'Yarrowdale',
  ],
  ...[
    'Zephyr Mill',
    'Alder & Finch',
    'Bramblecote',
    'Copperline',
    'Dovetail Dept.',
    'Eastmarch',
    'Fennimore',
    'Glasswing',
  ],
  ...[
    'Harrowgate Tools',
    'Inkberry',
    'Juniper Post',
    'Kestrel Kitchen',
    'Lanternfish',
    'Marlowe Street',
    'Nettlebank',
    'Oxbow Trail',
  ],
  ...['Pinefold', 'Quarry Bay', 'Rookwood', 'Saltmarsh Co.', 'Thistledown', 'Upland Cycle', 'Verdigris', 'Weststrand'],
]

/** Names of a brand's further lines; the first line has the brand's own name. */
const LINES = ['', ' Kids', ' & Daughters', ' Outdoor', ' Atelier', ' Basics', ' No. 9', ' Sport', ' Heritage', ' Home']

/** The name of the n-th brand. There are 400 different ones. */
export function brandName(n: number): string {
  const line = LINES[Math.floor(n / BRAND_NAMES.length) % LINES.length]
  return `${BRAND_NAMES[n % BRAND_NAMES.length]}${line}`
}

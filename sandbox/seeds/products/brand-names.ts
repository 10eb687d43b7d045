/** Forty made-up brands. Some have an accent, an ampersand, an apostrophe or a dot, as in real stores. */
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

/** Suffixes for further brands with the same name. The first is empty. */
const LINES = ['', ' Kids', ' & Daughters', ' Outdoor', ' Atelier', ' Basics', ' No. 9', ' Sport', ' Heritage', ' Home']

/** The name of the n-th brand. 400 of them are different. */
export function brandName(n: number): string {
  const line = LINES[Math.floor(n / BRAND_NAMES.length) % LINES.length]
  return `${BRAND_NAMES[n % BRAND_NAMES.length]}${line}`
}

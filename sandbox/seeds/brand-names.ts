/** Forty brands that nobody owns. Accents, an ampersand, an apostrophe and a dot are there because real stores have them. */
export const BRAND_NAMES: string[] = [
  ...['Northfold', 'Acme Outfitters', 'Brindle & Oak', 'Café Lumen', "Tilly's Workshop", 'Ostrava Goods', 'Pell Mercer', 'Quillon'],
  ...['Rustwater', 'Sable Ridge', 'Tamarind Lane', 'Umber Works', 'Vantage Loop', 'Wickerby', 'Xanten Supply', 'Yarrowdale'],
  ...['Zephyr Mill', 'Alder & Finch', 'Bramblecote', 'Copperline', 'Dovetail Dept.', 'Eastmarch', 'Fennimore', 'Glasswing'],
  ...['Harrowgate Tools', 'Inkberry', 'Juniper Post', 'Kestrel Kitchen', 'Lanternfish', 'Marlowe Street', 'Nettlebank', 'Oxbow Trail'],
  ...['Pinefold', 'Quarry Bay', 'Rookwood', 'Saltmarsh Co.', 'Thistledown', 'Upland Cycle', 'Verdigris', 'Weststrand'],
]

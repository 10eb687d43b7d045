/** A run over the catalogue alone, for stories that count everything it takes. */
export const catalogue = { entities: ['categories', 'brands', 'products'] }

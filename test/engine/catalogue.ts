/** A run over the catalogue alone, for tests that count every call. */
export const catalogue = { entities: ['categories', 'brands', 'products'] }

/** Every catalogue a new store can have. Apart from what plants them, so that a command line can name them without loading it. */
export const SEEDS = ['empty', 'tiny', 'small', 'medium', 'large'] as const

export type Seed = (typeof SEEDS)[number]

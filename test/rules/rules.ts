import type { Suite } from './suites-of-file.ts'

/** Which suites hold a rule of docs/rules.md, and what of it the service does not do yet. */
interface BuiltRule {
  suites: readonly Suite[]
  notYet?: string
}

/** What users do without as long as the rule is not built. */
interface UnbuiltRule {
  notBuilt: string
}

export type Rule = BuiltRule | UnbuiltRule

const byDefault: BuiltRule = { suites: ['default'] }
const byEngine: BuiltRule = { suites: ['default', 'engine'] }
const byKills: BuiltRule = { suites: ['default', 'engine', 'kills'] }
const byEntities: BuiltRule = { suites: ['default', 'engine', 'entities'] }

/** Every rule of docs/rules.md, in its order. */
export const rules: Record<string, Rule> = {
  A1: byKills,
  A2: byEngine,
  A3: byEngine,
  A4: byKills,
  A5: byKills,
  A6: byEngine,
  A7: { suites: ['default', 'kills'] },

  B1: byEngine,
  B2: byKills,
  B3: byEngine,
  B4: byEngine,
  B5: byDefault,
  B6: byEngine,
  B7: byEngine,

  C1: byEngine,
  C2: { suites: ['default', 'engine', 'whole-store'] },
  C3: byEngine,
  C4: byEntities,
  C5: byEngine,

  D1: byEntities,
  D2: byEngine,
  D3: byEntities,
  D4: byEntities,
  D5: byEngine,
  D6: byEngine,
  D7: byEngine,

  E1: { suites: ['default', 'engine', 'bench'] },
  E2: { suites: ['default', 'engine', 'entities', 'bench'] },
  E3: byEngine,
  E4: byEngine,
  E5: { suites: ['default', 'engine', 'bench'] },

  F1: byEntities,
  F2: byEntities,
  F3: byEngine,
  F4: { suites: ['default', 'engine', 'faults'] },
  F5: byDefault,
  F6: byEngine,

  G1: byEngine,
  G2: byEngine,
  G3: byEngine,
  G4: byEngine,
  G5: byDefault,
  G6: byDefault,
  G7: byEngine,
  G8: byEngine,
  G9: byDefault,
  G10: { suites: ['default', 'kills'] },
  G11: byDefault,
  G12: byDefault,
  G13: byEngine,
  G14: byEngine,
  G15: byDefault,
  G16: byDefault,
  G17: byEngine,

  S1: byEngine,
  S2: byDefault,
  S3: byDefault,
  S4: byDefault,
  S5: byDefault,
  S6: byDefault,
  S7: byDefault,
  S8: byDefault,
  S9: byEngine,
  S10: byDefault,
  S11: byDefault,
  S12: byEngine,
  S13: byDefault,
  S14: byDefault,
  S15: byDefault,
  S16: byDefault,
  S17: byDefault,
  S18: byDefault,
  S19: byDefault,
  S20: byEngine,
  S21: byDefault,
  S22: { suites: ['default', 'faults'] },
  S23: byDefault,
  S24: byDefault,
  S25: { ...byDefault, notYet: 'pausing migrations when the disk is nearly full' },
  S26: byDefault,
  S27: { ...byDefault, notYet: 'the remaining screens of the portal' },
  S28: byDefault,
  S29: byDefault,
  S30: { ...byDefault, notYet: 'container images' },
  S31: byDefault,
  S32: byDefault,
  S33: byDefault,
  S34: byDefault,
  S35: byDefault,
  S36: byDefault,
  S37: byDefault,
}

/**
 * Advisory locks that exist once per database. Locks of an organisation, store or address use a hashed text instead. If
 * two of them shared a number, unrelated work would wait for each other.
 */
export const lockNumbers = {
  migration: 7_302_001,
  signingKey: 7_302_002,
  firstAdministrator: 7_302_003,
  runRole: 7_302_004,
  admission: 7_302_010,
  notifications: 7_302_011,
} as const

/**
 * Advisory locks that there is one of in a database; locks of one organisation, store or address are named by a hashed text. Two
 * meanings for one number would make strangers wait for each other.
 */
export const lockNumbers = {
  migration: 7_302_001,
  signingKey: 7_302_002,
  firstAdministrator: 7_302_003,
  runRole: 7_302_004,
  admission: 7_302_010,
} as const

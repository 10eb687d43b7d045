import { z } from 'zod'
import { linkToken } from './administration.ts'

/** As typed by a person: six digits, perhaps with a space, or a recovery code. */
const code = z.string().trim().min(1, 'Must not be empty.').max(100)

export const secondStepState = z.strictObject({
  onSince: z.iso.datetime().nullable().describe('Null while signing in takes the password only.'),
  recoveryCodesLeft: z.int(),
})

export const beginSecondStepInput = z.strictObject({
  currentPassword: z.string().min(1, 'Must not be empty.').max(1_000),
})
export const begunSecondStep = z.strictObject({
  secret: z.string().describe('For typing into an authenticator app; shown only once.'),
  address: z.string().describe('The same as an otpauth address.'),
  picture: z.string().describe('The address as a QR code, in SVG.'),
})

export const reauthenticateInput = beginSecondStepInput.extend({
  code: code.optional().describe('Required where the second step is on.'),
})

export const codeInput = z.strictObject({ code })
export const recoveryCodes = z.strictObject({
  recoveryCodes: z.array(z.string()).describe('Each signs in once in place of a code; shown only once.'),
})

export const signInWithCodeInput = z.strictObject({ token: linkToken, code })

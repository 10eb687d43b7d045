/** Everything that is put on record. Portal, filters and the database's writers take their names from here. */
export const accountActions = [
  'administrator.create',
  'organisation.create',
  'store-migration.enable',
  'store-migration.remove',
  'store.connect',
  'store.label',
  'store.disconnect',
  'credential.issue',
  'credential.rotate',
  'credential.disable',
  'token.end',
  'login',
  'login.fail',
  'sign-in',
  'sign-in.fail',
  'sign-out',
  'sign-out-everywhere',
  'session.end',
  'name.change',
  'password.change',
  'password.reset-link',
  'password.reset',
  'signing-key.rotate',
  'master-key.rotate',
  'assistant.connect',
  'assistant.disconnect',
  'member.add',
  'member.invite',
  'member.change',
  'member.remove',
  'invitation.accept',
  'migrations.read',
  'migration.read',
] as const
export const runActions = [
  'migration.create',
  'migration.verify',
  'migration.pause',
  'migration.resume',
  'migration.cancel',
  'migration.heal',
  'migration.dismiss',
] as const
export const auditActions = [...accountActions, ...runActions] as const

export type AuditAction = (typeof accountActions)[number]
export type RunAction = (typeof runActions)[number]

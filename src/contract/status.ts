/** MigrationStatus, its transitions with the reason for each, and the controls available to callers. */
export const migrationStatuses = [
  'queued',
  'in_progress',
  'paused',
  'completed',
  'failed',
  'cancelled',
  'partial_completed',
] as const
export type MigrationStatus = (typeof migrationStatuses)[number]

export const controls = ['pause', 'resume', 'cancel', 'heal'] as const
export type Control = (typeof controls)[number]

export interface Transition {
  to: MigrationStatus
  when: string
}

export const transitions: Record<MigrationStatus, readonly Transition[]> = {
  queued: [
    { to: 'in_progress', when: 'admitted: there is capacity and the destination is free' },
    { to: 'paused', when: 'paused before it was admitted' },
    { to: 'cancelled', when: 'canceled before it was admitted' },
    { to: 'failed', when: 'the run itself cannot go on' },
  ],
  in_progress: [
    {
      to: 'paused',
      when: 'pause was requested, and the last answer is recorded; or a person has to act: credentials revoked, a scope missing, an outage longer than the limit',
    },
    { to: 'completed', when: 'everything in scope was copied, matched or skipped' },
    { to: 'partial_completed', when: 'finished with open failures' },
    { to: 'cancelled', when: 'cancel was requested, and the last answer is recorded' },
    {
      to: 'failed',
      when: 'neither waiting nor a person helps: it crashed five times in a row without copying anything',
    },
  ],
  paused: [
    { to: 'queued', when: 'resume' },
    { to: 'cancelled', when: 'cancel' },
  ],
  partial_completed: [
    { to: 'queued', when: 'resume or heal' },
    { to: 'cancelled', when: 'cancel' },
    { to: 'completed', when: 'the last open failure was healed or dismissed' },
  ],
  completed: [],
  failed: [],
  cancelled: [],
}

export function mayBecome(from: MigrationStatus, to: MigrationStatus): boolean {
  return transitions[from].some((transition) => transition.to === to)
}

/** Statuses in which a control is accepted; in others the response is 409 `invalid_transition`. */
export const allowedFrom: Record<Control, readonly MigrationStatus[]> = {
  pause: ['queued', 'in_progress'],
  resume: ['paused', 'partial_completed'],
  cancel: ['queued', 'in_progress', 'paused', 'partial_completed'],
  heal: ['partial_completed'],
}

export function allowedControls(status: MigrationStatus): Control[] {
  return controls.filter((control) => allowedFrom[control].includes(status))
}

/** Statuses that are read from the engine's tables; the others are read from the snapshot. */
export function isLive(status: MigrationStatus): boolean {
  return status === 'queued' || status === 'in_progress' || status === 'paused'
}

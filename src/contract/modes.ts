export const modes = ['full', 'dry-run', 'verify', 'counts'] as const
export type Mode = (typeof modes)[number]

export const conflictStrategies = ['skip', 'update', 'replace'] as const
export type ConflictStrategy = (typeof conflictStrategies)[number]

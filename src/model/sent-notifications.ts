export const notificationKinds = ['webhook', 'mail'] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** How a try to send a notification can end; `failed`: it is not tried again. */
export const tryEnds = ['delivered', 'to_repeat', 'failed'] as const
export type TryEnd = (typeof tryEnds)[number]

/** Hears of what the sender of a server tries. */
export interface NotificationObserver {
  tried(kind: NotificationKind, end: TryEnd): void
}

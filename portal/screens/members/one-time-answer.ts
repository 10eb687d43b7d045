/** A link that is shown once, or what happened instead. */
export type OneTimeAnswer = { title: string; link: string; expiresAt: string } | { note: string }

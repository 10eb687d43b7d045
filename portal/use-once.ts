import { useState } from 'react'

interface Made {
  /** What it is the secret of. A new one voids the one before it. */
  of: string
}

/** Secrets that were just made, the newest first. Each stays until the person has stored it, also when others are made. */
export interface Once<Secret extends Made> {
  shown: Secret[]
  show: (secret: Secret) => void
  /** It was stored, or is void. */
  forget: (of: string) => void
}

/** Only in the component that uses it: a secret must never get into the cache or the address. */
export function useOnce<Secret extends Made>(): Once<Secret> {
  const [shown, setShown] = useState<Secret[]>([])
  return {
    shown,
    show: (secret) => setShown((before) => [secret, ...before.filter(({ of }) => of !== secret.of)]),
    forget: (gone) => setShown((before) => before.filter(({ of }) => of !== gone)),
  }
}

import type { ReactNode } from 'react'
import { type OwnersList, whyNotSee } from '../allowed.ts'
import { useAsker } from '../session.tsx'
import { Notice } from '../ui/notice.tsx'
import { Screen } from '../ui/screen.tsx'

/** A screen that the navigation only offers to those who see its list. Anyone else who opens its address reads whom to ask. */
export function OwnersOnly({ title, list, children }: { title: string; list: OwnersList; children: ReactNode }) {
  const reason = whyNotSee(list, useAsker())
  if (reason === undefined) return children
  return (
    <Screen title={title}>
      <Notice tone="quiet">{reason}</Notice>
    </Screen>
  )
}

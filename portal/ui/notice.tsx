import type { ReactNode } from 'react'
import type { Tone } from '../words.ts'

interface Props {
  tone: Tone
  title?: string
  /** Set if the screen already announces it in other words. */
  isSilent?: boolean
  children: ReactNode
}

/** A message within a screen. Screen readers announce problems at once, and others when they pause. */
export function Notice({ tone, title, isSilent = false, children }: Props) {
  const role = tone === 'stopped' ? 'alert' : 'status'
  return (
    <div className={`notice ${tone}`} role={isSilent ? undefined : role}>
      {title !== undefined && <strong>{title}</strong>}
      <div>{children}</div>
    </div>
  )
}

export function EmptyNote({ title, action, children }: { title: string; action?: ReactNode; children?: ReactNode }) {
  return (
    <div className="empty-note">
      <p className="empty-title">{title}</p>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  )
}

import type { ReactNode } from 'react'
import type { Tone } from '../words.ts'

/** A message in the flow of a screen. Problems are announced at once, the others when the reader pauses. */
export function Notice({ tone, title, children }: { tone: Tone; title?: string; children: ReactNode }) {
  return (
    <div className={`notice ${tone}`} role={tone === 'stopped' ? 'alert' : 'status'}>
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

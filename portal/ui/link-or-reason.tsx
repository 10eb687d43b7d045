import type { ReactNode } from 'react'
import { Button, ButtonLink } from './button.tsx'
import { useWhys } from './reasons.tsx'

interface Props {
  to: string
  search?: Record<string, string>
  isSecondary?: boolean
  name?: string
  /** Why the person cannot go there. Displayed beside the button, unless the screen says it elsewhere. */
  offBecause: string | undefined
  children: ReactNode
}

/** A link to where something is done, or a disabled button that says why. */
export function LinkOrReason({ offBecause, children, ...link }: Props) {
  const { idOf, notes } = useWhys([offBecause])
  if (offBecause === undefined) return <ButtonLink {...link}>{children}</ButtonLink>
  return (
    <div className="link-or-reason">
      <Button offBecause={idOf(offBecause)} variant={link.isSecondary ? 'secondary' : 'primary'}>
        {children}
      </Button>
      {notes}
    </div>
  )
}

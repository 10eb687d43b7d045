import { type ReactNode, useId } from 'react'
import { Button, ButtonLink } from './button.tsx'

interface Props {
  to: string
  search?: Record<string, string>
  isSecondary?: boolean
  name?: string
  /** Why the person cannot go there. Displayed beside the button. */
  offBecause: string | undefined
  children: ReactNode
}

/** A link to where something is done, or a disabled button that says why. */
export function LinkOrReason({ offBecause, children, ...link }: Props) {
  const id = useId()
  if (offBecause === undefined) return <ButtonLink {...link}>{children}</ButtonLink>
  return (
    <div className="link-or-reason">
      <Button offBecause={id} variant={link.isSecondary ? 'secondary' : 'primary'}>
        {children}
      </Button>
      <p id={id} className="why">
        {offBecause}
      </p>
    </div>
  )
}

import { Button as BigDesignButton, type ButtonProps } from '@bigcommerce/big-design'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type Props = Pick<ButtonProps, 'children' | 'iconLeft' | 'variant' | 'actionType' | 'type' | 'form' | 'autoFocus'> & {
  onClick?: () => void
  /** The element that says why the button is off. Setting it turns the button off; it stays focusable. */
  offBecause?: string | undefined
  busy?: boolean
  name?: string
}

/** A button of the control panel. One that is off stays in the tab order, so that a screen reader finds its reason. */
export function Button({ onClick, offBecause, busy = false, name, type = 'button', ...rest }: Props) {
  const isOff = offBecause !== undefined || busy
  return (
    <BigDesignButton
      {...rest}
      aria-label={name}
      type={isOff ? 'button' : type}
      mobileWidth="auto"
      isLoading={busy}
      aria-disabled={isOff}
      aria-describedby={offBecause}
      onClick={isOff ? undefined : onClick}
    />
  )
}

/** Looks like a button and goes to another screen. */
export function ButtonLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className="button-link" to={to}>
      {children}
    </Link>
  )
}

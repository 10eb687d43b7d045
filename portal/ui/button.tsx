import { Button as BigDesignButton, type ButtonProps } from '@bigcommerce/big-design'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type Props = Pick<ButtonProps, 'children' | 'iconLeft' | 'variant' | 'actionType' | 'type' | 'form' | 'autoFocus'> & {
  onClick?: () => void
  /** The element that says why the button is off. Setting it turns the button off; it stays focusable. */
  offBecause?: string | undefined
  /** What it started is under way. It keeps its words and the focus. */
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
      aria-busy={busy}
      aria-disabled={isOff}
      aria-describedby={offBecause}
      onClick={isOff ? undefined : onClick}
    />
  )
}

interface ButtonLinkProps {
  to: string
  search?: Record<string, string>
  isSecondary?: boolean
  /** For screen readers, where the same words are on several links of a screen. */
  name?: string
  children: ReactNode
}

/** Looks like a button and goes to another screen. */
export function ButtonLink({ to, search = {}, isSecondary = false, name, children }: ButtonLinkProps) {
  return (
    <Link className={isSecondary ? 'button-link secondary' : 'button-link'} to={to} search={search} aria-label={name}>
      {children}
    </Link>
  )
}

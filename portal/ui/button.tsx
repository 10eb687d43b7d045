import { Button as BigDesignButton, type ButtonProps } from '@bigcommerce/big-design'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'

type Props = Pick<ButtonProps, 'children' | 'iconLeft' | 'variant' | 'actionType' | 'type' | 'form'> & {
  /** While what it returns is pending, the button is busy, so that a double click does it once. */
  onClick?: () => unknown
  /** Id of the element that says why the button is disabled. Setting it disables the button, which stays focusable. */
  offBecause?: string | undefined
  /** Whether what it started is in progress. The button keeps its words and the focus. */
  busy?: boolean
  name?: string
}

/** A button. If disabled, it stays in the tab order, so that a screen reader finds the reason. */
export function Button({ onClick, offBecause, busy = false, name, type = 'button', ...rest }: Props) {
  const [isRunning, setRunning] = useState(false)
  const isBusy = busy || isRunning
  const isOff = offBecause !== undefined || isBusy
  function run() {
    const done = onClick?.()
    if (!(done instanceof Promise)) return
    setRunning(true)
    done.finally(() => setRunning(false))
  }
  return (
    <BigDesignButton
      {...rest}
      aria-label={name}
      type={isOff ? 'button' : type}
      mobileWidth="auto"
      aria-busy={isBusy}
      aria-disabled={isOff}
      aria-describedby={offBecause}
      onClick={isOff ? undefined : run}
    />
  )
}

interface ButtonLinkProps {
  to: string
  search?: Record<string, string>
  isSecondary?: boolean
  /** For screen readers, if several links of a screen have the same words. */
  name?: string
  children: ReactNode
}

/** A link to another screen that looks like a button. */
export function ButtonLink({ to, search = {}, isSecondary = false, name, children }: ButtonLinkProps) {
  return (
    <Link className={isSecondary ? 'button-link secondary' : 'button-link'} to={to} search={search} aria-label={name}>
      {children}
    </Link>
  )
}

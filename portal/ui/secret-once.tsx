import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { keepFocus } from './dialog.tsx'

interface SecretValue {
  label: string
  value: string
  /** Hidden until the person clicks Show. */
  isSecret?: boolean
}

interface Props {
  title: string
  children: ReactNode
  values: SecretValue[]
  onStored: () => void
}

/** Displays values that cannot be displayed again. Takes the focus, and stays until the person has stored them. */
export function SecretOnce({ title, children, values, onStored }: Props) {
  const panel = useRef<HTMLElement>(null)
  // Two made one after the other are shown in the same place.
  const shown = values.map(({ value }) => value).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: each secret is a new one
  useEffect(() => {
    const takeFocus = () => panel.current?.focus()
    // The dialog in which it was asked for keeps the focus, and returns it to its button when it closes.
    const dialog = document.querySelector('dialog[open]')
    if (dialog) dialog.addEventListener('close', takeFocus, { once: true })
    else takeFocus()
  }, [shown])
  function stored() {
    onStored()
    // The button is gone with the secret.
    setTimeout(keepFocus)
  }
  return (
    <section ref={panel} className="secret-once" aria-label={title} tabIndex={-1}>
      <h2>{title}</h2>
      <p>{children}</p>
      <dl>
        {values.map((value) => (
          <Secret key={value.value} {...value} />
        ))}
      </dl>
      <Button onClick={stored}>I stored it</Button>
    </section>
  )
}

function Secret({ label, value, isSecret = false }: SecretValue) {
  const [isShown, setShown] = useState(!isSecret)
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <code>{isShown ? value : '•'.repeat(16)}</code>
        {isSecret && (
          <Button
            variant="secondary"
            name={`${isShown ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? 'Hide' : 'Show'}
          </Button>
        )}
        <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} />
      </dd>
    </>
  )
}

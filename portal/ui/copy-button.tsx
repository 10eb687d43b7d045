import { useState } from 'react'
import { Button } from './button.tsx'

interface Props {
  text: string
  label: string
  /** The words on the button, if its context does not make clear what it copies. */
  words?: string
}

export function CopyButton({ text, label, words = 'Copy' }: Props) {
  const [copied, setCopied] = useState<string>()
  const [isRefused, setRefused] = useState(false)
  // Another text may have taken the place of the one that was copied.
  const isCopied = copied === text
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(text)
      setRefused(false)
    } catch {
      setCopied(undefined)
      setRefused(true)
    }
  }
  return (
    <>
      <Button variant="secondary" name={isCopied ? 'Copied' : label} onClick={copy}>
        {isCopied ? 'Copied' : words}
      </Button>
      {isRefused && (
        <span role="alert" className="field-problem">
          The browser did not copy it. Select it, and copy it yourself.
        </span>
      )}
    </>
  )
}

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
  // Another text may have taken the place of the one that was copied.
  const isCopied = copied === text
  async function copy() {
    await navigator.clipboard.writeText(text)
    setCopied(text)
  }
  return (
    <Button variant="secondary" name={isCopied ? 'Copied' : label} onClick={copy}>
      {isCopied ? 'Copied' : words}
    </Button>
  )
}

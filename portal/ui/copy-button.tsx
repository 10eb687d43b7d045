import { useState } from 'react'
import { Button } from './button.tsx'

interface Props {
  text: string
  label: string
  /** The words on the button, if its context does not make clear what it copies. */
  words?: string
}

export function CopyButton({ text, label, words = 'Copy' }: Props) {
  const [isCopied, setCopied] = useState(false)
  async function copy() {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <Button variant="secondary" name={isCopied ? 'Copied' : label} onClick={copy}>
      {isCopied ? 'Copied' : words}
    </Button>
  )
}

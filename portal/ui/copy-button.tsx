import { useState } from 'react'
import { Button } from './button.tsx'

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false)
  async function copy() {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <Button variant="secondary" name={isCopied ? 'Copied' : label} onClick={copy}>
      {isCopied ? 'Copied' : 'Copy'}
    </Button>
  )
}

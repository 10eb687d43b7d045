import { useState } from 'react'
import { download } from './data/download.ts'
import { sentenceOf } from './data/errors.ts'
import { Button } from './ui/button.tsx'

interface Props {
  label?: string
  /** Path of the file. Its last part is the file's name. */
  path: string
  query?: Record<string, string | undefined>
}

export function DownloadButton({ label = 'Download CSV', path, query = {} }: Props) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  async function run() {
    setBusy(true)
    setProblem(undefined)
    await download(path, query).catch((error: unknown) => setProblem(sentenceOf(error)))
    setBusy(false)
  }
  return (
    <span className="download">
      <Button variant="secondary" busy={busy} onClick={run}>
        {label}
      </Button>
      {problem !== undefined && (
        <span role="alert" className="field-problem">
          {problem}
        </span>
      )}
    </span>
  )
}

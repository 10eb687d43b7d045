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
  const [problem, setProblem] = useState<string>()
  async function run() {
    setProblem(undefined)
    await download(path, query).catch((error: unknown) => setProblem(sentenceOf(error)))
  }
  return (
    <span className="download">
      <Button variant="secondary" onClick={run}>
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

import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sentenceOf } from '../data/errors.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

interface Props {
  query: Pick<UseQueryResult, 'error' | 'refetch'>
  /** Displayed until there is a result. */
  children?: ReactNode
}

/** In place of a part of a screen without data, because it is loading, or failed and can be tried again. */
export function PartState({ query: { error, refetch }, children = 'Loading…' }: Props) {
  if (!error) return <p className="quiet-line">{children}</p>
  return (
    <Notice tone="review">
      <p>{sentenceOf(error)}</p>
      <Button variant="secondary" onClick={() => refetch()}>
        Try again
      </Button>
    </Notice>
  )
}

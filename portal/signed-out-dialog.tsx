import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { onSignedOut } from './data/client.ts'
import { sessionQuery } from './data/queries.ts'
import { paths, serverPages } from './paths.ts'
import { useSession } from './session.tsx'
import { Dialog } from './ui/dialog.tsx'

const lookAgainMs = 3_000

/** The screen below stays as it is, with everything that was typed, while the person signs in again in another tab. */
export function SignedOutDialog() {
  const [isSignedOut, setSignedOut] = useState(false)
  useEffect(() => onSignedOut(() => setSignedOut(true)), [])
  return isSignedOut && <SignInAgain onEnd={() => setSignedOut(false)} />
}

function SignInAgain({ onEnd }: { onEnd: () => void }) {
  const router = useRouter()
  const queries = useQueryClient()
  const { user } = useSession()
  const { data: next } = useQuery({
    ...sessionQuery,
    queryKey: ['next session'],
    staleTime: 0,
    gcTime: 0,
    refetchInterval: lookAgainMs,
  })
  useEffect(() => {
    if (!next) return
    // What is on the screen and was typed is not for somebody else.
    if (next.user.id !== user.id) return location.reload()
    onEnd()
    queries.invalidateQueries()
    router.invalidate()
  }, [next, user.id, onEnd, queries, router])
  return (
    <Dialog title="You have been signed out" onClose={onEnd}>
      <p>Sign in again to continue here.</p>
      <p>Signing in opens a new tab. This one stays as it is, with what you typed, and goes on once you are back.</p>
      <div className="dialog-actions">
        <a className="button-link" href={serverPages.signIn(paths.signedIn)} target="_blank" rel="noreferrer">
          Sign in
        </a>
      </div>
    </Dialog>
  )
}

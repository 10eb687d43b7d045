import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { ApiError } from '../data/client.ts'
import { screenProblemOf } from '../data/errors.ts'
import { paths } from '../paths.ts'
import { switchOrganization, useAsker, useSession } from '../session.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Screen } from '../ui/screen.tsx'

/** Appears once loading takes noticeably long. */
export function Loading() {
  return (
    <div className="loading" role="status">
      <span className="unseen">Loading</span>
    </div>
  )
}

function HomeLink() {
  return (
    <Link to={paths.home} activeOptions={{ exact: true }}>
      Go to Home
    </Link>
  )
}

/** For an address without a screen. The navigation stays. */
export function NoScreen() {
  return (
    <Screen title="Page not found" lead="There is no page at this address.">
      <p>
        <HomeLink />
      </p>
    </Screen>
  )
}

/** In the tab that was opened to sign in again. */
export function SignedIn() {
  return (
    <Screen
      title="You are signed in"
      lead="Go back to the tab you came from, and continue there. You can close this one."
    >
      <p>
        <HomeLink />
      </p>
    </Screen>
  )
}

/** In place of a screen that could not be loaded, or that crashed. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const { title, text, reference } = screenProblemOf(error)
  const isFinal = error instanceof ApiError && [403, 404].includes(error.httpStatus)
  async function again() {
    // Otherwise a query that failed without data would throw its old error again.
    queries.reset()
    await router.invalidate()
    reset()
  }
  return (
    <Screen title={title}>
      <Notice tone={isFinal ? 'quiet' : 'stopped'}>
        {text} {error instanceof ApiError && error.code === 'forbidden' && <WhomToAsk />}
      </Notice>
      {error instanceof ApiError && error.code === 'not_found' && <ElsewherePerhaps />}
      {reference !== null && (
        <p>
          Reference <code>{reference}</code> <CopyButton text={reference} label="Copy the reference" />
        </p>
      )}
      <p>{isFinal ? <HomeLink /> : <Button onClick={again}>Try again</Button>}</p>
    </Screen>
  )
}

/** For an address without its organization, such as a bookmark, or the link of an older message. */
function ElsewherePerhaps() {
  const { organizations, organization } = useSession()
  const others = organizations.filter(({ id }) => id !== organization?.id)
  return others.map(({ id, name }) => (
    <p key={id}>
      <Button variant="secondary" onClick={() => switchOrganization(id, true)}>
        Look in <bdi>{name}</bdi>
      </Button>
    </p>
  ))
}

function WhomToAsk() {
  const { owners } = useAsker()
  return owners.length > 0 ? <bdi>{`Owners here: ${owners.join(', ')}.`}</bdi> : null
}

/** Without a session there is no navigation to keep. */
export function ShellError(props: ErrorComponentProps) {
  return (
    <main className="bare">
      <ScreenError {...props} />
    </main>
  )
}

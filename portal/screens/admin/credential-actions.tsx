import { useState } from 'react'
import { Confirm } from '../../confirm.tsx'
import { administration, type IssuedCredential } from '../../data/administration.ts'
import { sentenceOf } from '../../data/errors.ts'
import type { OrganizationEntry } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Once } from '../../use-once.ts'
import { useOffNow } from '../use-off-now.ts'
import type { Issued } from './credential-once.tsx'

type Question = 'rotate' | 'disable' | 'remove'
type Action = 'issue' | Question

interface Props {
  entry: OrganizationEntry
  credentials: Once<Issued>
  onChanged: () => Promise<void>
}

const words: Record<Action, string> = {
  issue: 'Issue credential',
  rotate: 'Rotate',
  disable: 'Disable',
  remove: 'Remove access',
}

/** What can be done to an organization's credential. Without an enabled one, a new one can be issued. */
export function CredentialActions({ entry, credentials, onChanged }: Props) {
  const { organisationId: id, name, credential } = entry
  const [question, setQuestion] = useState<Question>()
  const [problem, setProblem] = useState<string>()
  const offBecause = useOffNow()
  const actions: Action[] = credential?.state === 'enabled' ? ['rotate', 'disable', 'remove'] : ['issue', 'remove']
  const show = (issued: IssuedCredential) => credentials.show({ ...issued, of: id, organization: name })
  async function run(action: Action) {
    if (action === 'issue') show(await administration.issue(id))
    if (action === 'rotate') show(await administration.rotate(id))
    if (action === 'disable') await administration.disable(id)
    if (action === 'remove') await administration.remove(id)
    if (action === 'disable' || action === 'remove') credentials.forget(id)
    await onChanged()
  }
  async function start(action: Action) {
    setProblem(undefined)
    if (action !== 'issue') return setQuestion(action)
    await run(action).catch((error: unknown) => setProblem(sentenceOf(error)))
  }
  return (
    <div className="row-actions">
      {actions.map((action) => (
        <Button
          key={action}
          variant="secondary"
          actionType={action === 'remove' ? 'destructive' : 'normal'}
          name={`${words[action]}: ${name}`}
          offBecause={offBecause}
          onClick={() => start(action)}
        >
          {words[action]}
        </Button>
      ))}
      {problem !== undefined && <Notice tone="stopped">{problem}</Notice>}
      {question && (
        <Confirm {...questions[question](name)} onConfirm={() => run(question)} onClose={() => setQuestion(undefined)}>
          <p>{effects[question](name)}</p>
        </Confirm>
      )}
    </div>
  )
}

const questions: Record<Question, (name: string) => Pick<Parameters<typeof Confirm>[0], QuestionProps>> = {
  rotate: (name) => ({ title: `Rotate the secret of ${name}?`, confirm: words.rotate, destructive: true }),
  disable: (name) => ({ title: `Disable API access of ${name}?`, confirm: words.disable, destructive: true }),
  remove: (name) => ({
    title: `Remove ${name} from Store Migration?`,
    confirm: words.remove,
    destructive: true,
    typed: name,
  }),
}
type QuestionProps = 'title' | 'confirm' | 'destructive' | 'typed'

const effects: Record<Question, (name: string) => string> = {
  rotate: () => 'The old secret and all tokens stop working now. The client id stays.',
  disable: () => 'API access ends now, with all tokens. People can still sign in.',
  remove: (name) =>
    `${name} can no longer migrate, neither in the portal nor with the API. Its running migrations are canceled. Nothing is deleted in any store.`,
}

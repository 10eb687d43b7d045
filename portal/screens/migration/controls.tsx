import { useId, useState } from 'react'
import { type MigrationAction, migrationActions, whyNot } from '../../allowed.ts'
import { Confirm } from '../../confirm.tsx'
import { sentenceOf } from '../../data/errors.ts'
import { sendAction } from '../../data/migration-actions.ts'
import type { Migration, MigrationRequest } from '../../data/queries.ts'
import { counted } from '../../format/number.ts'
import { useOnline } from '../../online.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { cancelMeanings, controlWords } from '../../words.ts'
import { useControl } from './use-control.ts'

interface Props {
  migration: Migration
  request: MigrationRequest
  title: string
}

const words: Record<MigrationAction, string> = { ...controlWords, verify: 'Compare' }

/** What a person can do now. It says why some actions are disabled. */
export function Controls({ migration, request, title }: Props) {
  const { organization } = useSession()
  const isOnline = useOnline()
  const [question, setQuestion] = useState<MigrationAction>()
  const [problem, setProblem] = useState<string>()
  const id = useId()
  const control = useControl(migration.requestId)
  const [key] = useState(() => crypto.randomUUID())
  const run = (action: MigrationAction) => control(() => sendAction(action, migration.requestId, key))
  if (!organization) return null
  const { status, mode } = migration
  const situation = { status, mode, role: organization.role, requested: request.asked, isOnline }
  const off = new Map(migrationActions.map((action) => [action, whyNot(action, situation)]))
  const reasons = [...new Set(off.values())].filter((reason) => reason !== undefined)
  const idOf = (reason: string) => `${id}-${reasons.indexOf(reason)}`
  async function start(action: MigrationAction) {
    setProblem(undefined)
    if (needsConfirmation(action, request)) return setQuestion(action)
    await run(action).catch((error: unknown) => setProblem(sentenceOf(error)))
  }
  return (
    <section aria-label="Controls" className="controls">
      <div className="control-buttons">
        {[...off].map(([action, reason]) => (
          <Button
            key={action}
            variant="secondary"
            actionType={action === 'cancel' ? 'destructive' : 'normal'}
            offBecause={reason && idOf(reason)}
            onClick={() => start(action)}
          >
            {words[action]}
          </Button>
        ))}
      </div>
      <ul className="reasons">
        {reasons.map((reason) => (
          <li key={reason} id={idOf(reason)}>
            {[...off.keys()]
              .filter((action) => off.get(action) === reason)
              .map((action) => words[action])
              .join(', ')}
            {`: ${reason}`}
          </li>
        ))}
      </ul>
      {problem !== undefined && <Notice tone="stopped">{problem}</Notice>}
      {question && (
        <Question
          action={question}
          migration={migration}
          title={title}
          onConfirm={() => run(question)}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </section>
  )
}

function needsConfirmation(action: MigrationAction, { prune }: MigrationRequest): boolean {
  return action === 'resume' ? prune !== null : action !== 'pause'
}

interface QuestionProps {
  action: MigrationAction
  migration: Migration
  title: string
  onConfirm: () => Promise<void>
  onClose: () => void
}

function Question({ action, migration, title, ...rest }: QuestionProps) {
  if (action === 'cancel')
    return (
      <Confirm title={`Cancel ${title}?`} confirm="Cancel migration" keep="Keep it running" destructive {...rest}>
        <p>{cancelMeanings[migration.mode]}</p>
      </Confirm>
    )
  if (action === 'heal')
    return (
      <Confirm title="Try again?" confirm="Try again" keep="Not now" {...rest}>
        <p>Tries {counted(migration.failuresOpen, 'open item')} again and nothing else.</p>
      </Confirm>
    )
  if (action === 'verify')
    return (
      <Confirm title="Compare the two stores?" confirm="Compare" keep="Not now" {...rest}>
        <p>Reads both stores and changes nothing. The comparison is a migration of its own in the list.</p>
      </Confirm>
    )
  return (
    <Confirm title="Go on without deleting?" confirm="Go on without deleting" keep="Stay paused" {...rest}>
      <p>The items that wait to be deleted stay in the destination.</p>
    </Confirm>
  )
}

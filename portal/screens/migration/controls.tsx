import { useState } from 'react'
import { isActionable, type MigrationAction, migrationActions, whyNot } from '../../allowed.ts'
import { Confirm } from '../../confirm.tsx'
import { sentenceOf } from '../../data/errors.ts'
import { sendAction } from '../../data/migration-actions.ts'
import type { Migration, MigrationRequest } from '../../data/queries.ts'
import { counted } from '../../format/number.ts'
import { useAsker } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { NamedReasons, useWhys } from '../../ui/reasons.tsx'
import { cancelMeanings, controlWords, goesOnWith, keepWords, migrationWithin } from '../../words.ts'
import { useControl } from './use-control.ts'

interface Props {
  migration: Migration
  request: MigrationRequest
  off: Map<MigrationAction, string | undefined>
  whys: ReturnType<typeof useWhys>
}

const words: Record<MigrationAction, string> = { ...controlWords, verify: 'Compare' }

/** The controls, and why each is off; none where nothing can be done. The page says it below them, for all of its parts. */
export function useWhyNot({ status, mode }: Migration, { asked }: MigrationRequest): Pick<Props, 'off' | 'whys'> {
  const { role, isOnline } = useAsker()
  const situation = { status, mode, role, requested: asked, isOnline }
  const shown = isActionable(situation) ? migrationActions : []
  const off = new Map(shown.map((action) => [action, whyNot(action, situation)]))
  return { off, whys: useWhys([...off.values()]) }
}

/** What a person can do now. It says why some actions are disabled. */
export function Controls({ migration, request, off, whys }: Props) {
  const [question, setQuestion] = useState<MigrationAction>()
  const [problem, setProblem] = useState<string>()
  const control = useControl(migration.requestId)
  const [key] = useState(() => crypto.randomUUID())
  const run = (action: MigrationAction) => control(() => sendAction(action, migration.requestId, key))
  async function start(action: MigrationAction) {
    setProblem(undefined)
    if (needsConfirmation(action, request)) return setQuestion(action)
    await run(action).catch((error: unknown) => setProblem(sentenceOf(error)))
  }
  if (off.size === 0) return null
  // Where a deletion waits, its own panel says what resuming does.
  const meaning = request.prune === null ? goesOnWith(migration.status, migration.mode) : undefined
  // A copy that is done is compared next.
  const next = migration.status === 'completed' && request.comparison === null ? 'verify' : undefined
  return (
    <section aria-label="Controls" className="controls">
      <div className="control-buttons">
        {[...off].map(([action, reason]) => (
          <Button
            key={action}
            variant={action === next ? 'primary' : 'secondary'}
            actionType={action === 'cancel' ? 'destructive' : 'normal'}
            offBecause={whys.idOf(reason)}
            onClick={() => start(action)}
          >
            {words[action]}
          </Button>
        ))}
      </div>
      {meaning !== undefined && <p className="hint">{meaning}</p>}
      <NamedReasons own={whys.own} off={new Map([...off].map(([action, reason]) => [words[action], reason]))} />
      {problem !== undefined && <Notice tone="stopped">{problem}</Notice>}
      {question && (
        <Question
          action={question}
          migration={migration}
          label={request.label}
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
  label: string | null
  onConfirm: () => Promise<void>
  onClose: () => void
}

function Question({ action, migration, label, ...rest }: QuestionProps) {
  if (action === 'cancel')
    return (
      <Confirm
        title={`Cancel ${migrationWithin(label, migration.mode, 'this')}?`}
        confirm="Cancel migration"
        keep={keepWords(migration.status)}
        destructive
        {...rest}
      >
        <p>{cancelMeanings[migration.mode]}</p>
      </Confirm>
    )
  if (action === 'heal')
    return (
      <Confirm title="Try failed items again?" confirm="Try again" keep="Not now" {...rest}>
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

import type { Command } from 'commander'

/** A completion script for each supported shell, generated from the commands. */
export const shells = { bash: bashScript, zsh: zshScript, fish: fishScript } as const
export type Shell = keyof typeof shells

interface Completed {
  /** Names below the program, e.g. `admin list`; empty for the program itself. */
  path: string
  description: string
  children: Completed[]
  /** Choices for its arguments. */
  values: string[]
  options: { flags: string[]; description: string; takesValue: boolean; choices: readonly string[] }[]
}

function completedOf(command: Command, path = ''): Completed {
  return {
    path,
    description: command.description(),
    children: command.commands.map((child) => completedOf(child, `${path} ${child.name()}`.trim())),
    values: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    options: [
      ...command.options.map(({ long, short, description, required, optional, argChoices }) => ({
        flags: [short, long].filter((flag) => flag !== undefined),
        description,
        takesValue: required || optional,
        choices: argChoices ?? [],
      })),
      { flags: ['--help'], description: 'explain the command', takesValue: false, choices: [] },
    ],
  }
}

function everyOf(one: Completed): Completed[] {
  return [one, ...one.children.flatMap(everyOf)]
}

const nameOf = ({ path }: Completed) => path.split(' ').at(-1) ?? ''

function bashScript(program: Command): string {
  const root = completedOf(program)
  const every = everyOf(root)
  const groups = root.children.filter(({ children }) => children.length > 0)
  const values = every.flatMap(({ path, options }) =>
    options.flatMap(({ flags, takesValue, choices }) =>
      takesValue ? flags.map((flag) => `    '${path} ${flag}') words='${choices.join(' ')}' ;;`) : [],
    ),
  )
  const words = every.map((one) => {
    const all = [...one.children.map(nameOf), ...one.values, ...one.options.flatMap(({ flags }) => flags)]
    return `    '${one.path}') words='${all.join(' ')}' ;;`
  })
  return `_storeferry() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command='' words=''
  if [ "$COMP_CWORD" -gt 1 ]; then command="\${COMP_WORDS[1]}"; fi
  case "$command" in
    ${groups.map(({ path }) => path).join('|') || '-'}) if [ "$COMP_CWORD" -gt 2 ]; then command="$command \${COMP_WORDS[2]}"; fi ;;
  esac
  case "$command $previous" in
${values.join('\n')}
    *) case "$command" in
${words.join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _storeferry storeferry`
}

/** Zsh can load bash completions. */
function zshScript(program: Command): string {
  return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(program)}`
}

function fishScript(program: Command): string {
  const lines = everyOf(completedOf(program)).flatMap((one) => {
    const here = conditionOf(one)
    const line = (rest: string) => `complete -c storeferry -n ${quoted(here)} ${rest}`
    const fresh = one.children.map(nameOf).join(' ')
    return [
      ...one.children.map(
        (child) =>
          `complete -c storeferry -n ${quoted(`${here}; and not __fish_seen_subcommand_from ${fresh}`)} -f -a ${nameOf(child)} -d ${quoted(child.description)}`,
      ),
      ...(one.values.length > 0 ? [line(`-f -a ${quoted(one.values.join(' '))}`)] : []),
      ...one.options.map(({ flags, description, takesValue, choices }) => {
        const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`))
        const value = choices.length > 0 ? [`-x -a ${quoted(choices.join(' '))}`] : takesValue ? ['-r'] : ['-f']
        return line([...names, ...value, `-d ${quoted(description)}`].join(' '))
      }),
    ]
  })
  return lines.join('\n')
}

function conditionOf({ path }: Completed): string {
  const seen = path.split(' ').map((name) => `__fish_seen_subcommand_from ${name}`)
  return path === '' ? '__fish_use_subcommand' : seen.join('; and ')
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

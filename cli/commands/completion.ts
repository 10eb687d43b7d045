import { Argument, type Command } from 'commander'
import { type CommandLine, print } from '../shared/command-line.ts'
import { type Shell, shells } from '../shared/completion-scripts.ts'

export function addCompletion(program: Command, commandLine: CommandLine): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(shells)))
    .addHelpText(
      'after',
      `
Examples:
  echo 'eval "$(storeferry completion bash)"' >> ~/.bashrc
  echo 'eval "$(storeferry completion zsh)"' >> ~/.zshrc
  storeferry completion fish > ~/.config/fish/completions/storeferry.fish`,
    )
    .action((shell: Shell) => print(commandLine, shells[shell](program)))
}

import { type Command, Option } from 'commander'

/** Filters for reading, retrying and accepting issues. */
export interface IssueFilters {
  phase?: string
  component?: string
  severity?: string
  code?: string
  text?: string
}

export function withIssueFilters(command: Command): Command {
  return command
    .option('--phase <key>', 'only issues of this phase')
    .option('--component <key>', 'only issues of this component')
    .addOption(new Option('--severity <severity>', 'only failures, or only warnings').choices(['failure', 'warning']))
    .option('--code <code>', 'only issues of this code')
    .option('--text <text>', 'only issues with this text in their message, or in the name, SKU or id of the item')
}

export function issueFiltersOf({ phase, component, severity, code, text }: IssueFilters): IssueFilters {
  return { phase, component, severity, code, text }
}

import type { SandboxAnswer } from '../http/resource.ts'
import { type Account, type AccountOptions, MAIN_ACCOUNT, newToken } from '../server/accounts.ts'
import type { StoreHost } from '../server/store-host.ts'
import { done, refused } from './admin-answers.ts'

export function listAccounts({ accounts }: StoreHost): SandboxAnswer {
  return done(accounts.list().map(described))
}

/** Revokes or replaces the token of an account, or adds an account. */
export function changeAccount(host: StoreHost, body: Record<string, unknown>): SandboxAnswer {
  const { action, token, account: name = MAIN_ACCOUNT } = body
  if (action === 'add') return addAccount(host, body)
  if (action !== 'revoke' && action !== 'replace') return refused(400, 'action must be revoke, replace or add')
  const account = host.accounts.named(String(name))
  if (!account) return refused(404, `No account ${name}`)
  const given = typeof token === 'string' && token !== '' ? token : newToken()
  const changed = host.accounts.changeToken(account, action === 'replace' ? given : undefined)
  return changed ? done({ token: account.token ?? null }) : refused(409, 'Another account has this token')
}

function addAccount({ accounts }: StoreHost, { account: name, ...rest }: Record<string, unknown>): SandboxAnswer {
  const options = { ...rest, name }
  if (!isAccountOptions(options)) {
    return refused(400, 'account, clientId and token must be strings, scopes a list of strings; account is required')
  }
  const account = accounts.add(options)
  return account ? done(described(account)) : refused(409, 'Another account has this name, client id or token')
}

function isAccountOptions(options: Record<string, unknown>): options is Record<string, unknown> & AccountOptions {
  const { name, clientId, token, scopes } = options
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  const areTexts = [clientId, token].every((value) => value === undefined || isText(value))
  return isText(name) && areTexts && (scopes === undefined || (Array.isArray(scopes) && scopes.every(isText)))
}

function described({ name, clientId, token, scopes }: Account) {
  return { account: name, clientId, token: token ?? null, scopes: [...scopes] }
}

/** The hash in what a person pastes, which may be the API path of the account, or just the hash. */
export function storeHashIn(text: string): string {
  // Hashes are lowercase, but a phone begins a line with a capital.
  const trimmed = text.trim().toLowerCase()
  return /\/stores\/([^/\s]+)/.exec(trimmed)?.[1] ?? trimmed
}

const hashShape = /^[a-z0-9]{1,20}$/
const tokenShape = /^[\x21-\x7e]{1,255}$/

/** Problems that can be seen at once. Only BigCommerce knows whether the hash and token work. */
export function problemsOf({ path, token }: { path: string; token: string }): { path?: string; token?: string } {
  const hash = storeHashIn(path)
  return {
    ...(!hashShape.test(hash) && {
      path:
        hash === ''
          ? 'Enter the API path of the account, or the store hash.'
          : 'The hash is the part after /stores/: letters and digits.',
    }),
    ...(!tokenShape.test(token.trim()) && {
      token:
        token.trim() === ''
          ? 'Enter the access token of the account.'
          : 'The token has spaces or other characters that no token has. Copy it again.',
    }),
  }
}

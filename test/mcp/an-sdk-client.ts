/** What an SDK of either version keeps of one assistant: they ask for the same things by the same names. */
export class Notebook {
  readonly redirectUrl: string
  readonly clientMetadata: { client_name: string; redirect_uris: string[]; token_endpoint_auth_method: string }
  /** Where the SDK wants the person to go. */
  sentTo: URL | undefined
  kept: { client_id: string } | undefined
  held: { access_token: string; token_type: string; refresh_token?: string } | undefined
  verifier = ''

  constructor(name: string, redirectUri: string) {
    this.redirectUrl = redirectUri
    this.clientMetadata = { client_name: name, redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }
  }

  state(): string {
    return `state of ${this.clientMetadata.client_name}`
  }

  clientInformation() {
    return this.kept
  }

  saveClientInformation(information: { client_id: string }): void {
    this.kept = information
  }

  tokens() {
    return this.held
  }

  saveTokens(tokens: { access_token: string; token_type: string; refresh_token?: string }): void {
    this.held = tokens
  }

  redirectToAuthorization(address: URL): void {
    this.sentTo = address
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier
  }

  codeVerifier(): string {
    return this.verifier
  }
}

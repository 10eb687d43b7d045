/** Every limit of the API in one place; each is tested at n and n plus one. */
export const limits = {
  /** Bytes of a request body. A selection of 50,000 ids of ten digits fits. */
  bodyBytes: 1024 * 1024,
  /** Requests per minute and bearer token, counted by each server process for itself. */
  requestsPerMinute: 600,
  /** Failed logins with one client id from one address before 429; lower hurts people who mistype, higher helps nobody honest. */
  loginFailuresPerClient: 10,
  /** Failed logins from one address, whatever the client id; room for an office behind one address. */
  loginFailuresPerAddress: 100,
  loginFailureWindowSeconds: 15 * 60,
  /** Fixed by the specification. */
  bearerTokenSeconds: 10 * 24 * 60 * 60,
  /** Seconds after which a portal session ends in which nothing was asked. Larger: a forgotten browser stays open overnight. */
  sessionIdleSeconds: 12 * 60 * 60,
  /** Seconds after which a portal session ends whatever happens. */
  sessionSeconds: 14 * 24 * 60 * 60,
  /** Seconds in which the link to the first administrator works. */
  firstAdministratorLinkSeconds: 30 * 60,
  /** Seconds in which an invitation may be accepted. */
  invitationSeconds: 7 * 24 * 60 * 60,
  /** Fixed by the specification: a source and a destination. */
  minimumConnectedStores: 2,
  pageSize: 50,
  maximumPageSize: 200,
  /** Ids a selection may name in all. */
  selectedIds: 50_000,
  /** Issues one request may dismiss by id. */
  dismissedIds: 1_000,
  queuedRunsPerOrganisation: 20,
  /** Event streams of one organisation at the same time, counted by each server process for itself. */
  streamsPerOrganisation: 50,
  /** Seconds after which an event stream ends; its reader comes back with the id of the last event. */
  streamSeconds: 60 * 60,
  textLength: 255,
  /** Fixed by the specification: an access token of the tool endpoint, its refresh token, and the code they come from. */
  accessTokenSeconds: 60 * 60,
  refreshTokenSeconds: 30 * 24 * 60 * 60,
  authorizationCodeSeconds: 5 * 60,
  /** An assistant that is used every month has to be allowed anew after a year. */
  grantSeconds: 365 * 24 * 60 * 60,
  /** From `authorize` to Allow, sign-in included. */
  interactionSeconds: 30 * 60,
  /** Bytes of a form to the authorisation server, and of a registration. */
  oauthBodyBytes: 16 * 1024,
  registrationBytes: 4 * 1024,
  /** Clients that one address may register in an hour; unused ones in all, and how long they are kept. */
  registrationsPerHour: 10,
  unusedClients: 10_000,
  unusedClientSeconds: 24 * 60 * 60,
  /** Bytes of a document in which a client describes itself; fetches of them that one address may cause in an hour, each kept so long. */
  clientDocumentBytes: 5 * 1024,
  clientDocumentsPerHour: 60,
  clientDocumentSeconds: 60 * 60,
  /** Calls per minute and organisation of tools that ask a store while they answer, counted by each server process for itself. */
  liveCallsPerMinute: 120,
  /** Bytes of a message to the tool endpoint. */
  toolBodyBytes: 64 * 1024,
  /** Messages in one request to the tool endpoint, for clients of the revisions that allow several. */
  toolBatch: 10,
} as const

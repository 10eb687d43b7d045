/** Every limit of the API; each is tested at the limit and one above. */
export const limits = {
  /** Bytes of a request body; enough for a selection of 50,000 ten-digit ids. */
  bodyBytes: 1024 * 1024,
  /** Bytes of what needs no sign-in: a login, a form. Larger: reading the one of a stranger takes the whole process for seconds. */
  formBytes: 16 * 1024,
  /** Values in a request: texts, numbers, lists and objects together. Each of them may be wrong, and is checked. */
  bodyValues: 60_000,
  /**
   * Seconds for the headers of a request, and for the whole request. Larger: a slow body keeps its connection longer.
   */
  headersSeconds: 10,
  requestSeconds: 30,
  /** Seconds that a connection may stay idle between requests. */
  keepAliveSeconds: 72,
  /**
   * Seconds without traffic on a connection, for example because the caller does not read a response. Smaller: a
   * response that waits for a slow store is cut off.
   */
  stalledSeconds: 300,
  /**
   * Open connections per server process; further ones are closed at once. Less than the number of files that a process
   * may open.
   */
  connections: 2_000,
  /** Requests per minute and bearer token, and logins and forms per minute and address; counted per server process. */
  requestsPerMinute: 600,
  /**
   * Failed logins with one client id from one address before 429. Lower hurts people who mistype; higher only helps
   * attackers.
   */
  loginFailuresPerClient: 10,
  /** Failed logins from one address with any client id; enough for an office behind one address. */
  loginFailuresPerAddress: 100,
  loginFailureWindowSeconds: 15 * 60,
  /**
   * Wrong codes of one person's second step before 429, from any address; only someone who knows the password gets that
   * far.
   */
  secondStepFailures: 5,
  /** Seconds from the password to the code. */
  secondStepSeconds: 10 * 60,
  recoveryCodes: 10,
  /**
   * Seconds after which sensitive actions require the password again. Smaller: a person who manages members types it
   * often.
   */
  proofSeconds: 15 * 60,
  /** Fixed by the specification. */
  bearerTokenSeconds: 10 * 24 * 60 * 60,
  /** Seconds of inactivity after which a portal session ends. Larger: a forgotten browser stays signed in overnight. */
  sessionIdleSeconds: 12 * 60 * 60,
  /** Seconds after which a portal session ends even if it is in use. */
  sessionSeconds: 14 * 24 * 60 * 60,
  /** Seconds for which the first administrator's link is valid. */
  firstAdministratorLinkSeconds: 30 * 60,
  /** Seconds for which an invitation is valid. */
  invitationSeconds: 7 * 24 * 60 * 60,
  /** Seconds for which a link to a new password is valid. */
  resetLinkSeconds: 30 * 60,
  /** Mails with a password link that one address may request in `loginFailureWindowSeconds`. */
  mailRequests: 10,
  /** Such links of one person that are valid at the same time; further ones are not mailed. */
  resetLinksAtOnce: 3,
  /** Seconds from the installation of the app in a store until an owner has to have claimed the store. */
  claimSeconds: 30 * 60,
  /**
   * Installations per minute and address, each of which calls the platform, and other callbacks of the platform; counted
   * per server process.
   */
  appInstallsPerMinute: 10,
  appCallbacksPerMinute: 120,
  /** Fixed by the specification: a source and a destination. */
  minimumConnectedStores: 2,
  pageSize: 50,
  maximumPageSize: 200,
  /** Ids in a selection, all entities together. */
  selectedIds: 50_000,
  /** Names in one list of a request; there are fewer entities and components. */
  namedParts: 100,
  /** Fields that the answer to a wrong request names, the first ones. Larger: one request makes many megabytes. */
  refusedFields: 100,
  /** Issues that one request may dismiss by id. */
  dismissedIds: 1_000,
  /**
   * Requests of one organisation that may go through all rows of a migration, at the same time and per server process; its others wait.
   * Larger: they would take all connections to the database.
   */
  longRequestsAtOnce: 3,
  /**
   * Connections to the database that requests of one organisation have at the same time and per server process, of ten; more of its
   * requests wait. Larger: requests that wait for each other, such as for one migration, keep everybody else waiting.
   */
  connectionsPerOrganisation: 6,
  /** Seconds that these others wait at most. Larger: they run for callers who have given up. Smaller: a page that sends many fails. */
  longRequestWaitSeconds: 10,
  /**
   * Seconds for one statement of a request to the database, in which it may wait for locks. Larger: proxies give up first, and the
   * statement keeps its connection. Smaller: a migration of millions of items cannot be canceled on a slow disk.
   */
  statementSeconds: 45,
  queuedRunsPerOrganisation: 20,
  /** Concurrent event streams of one organisation, counted per server process. */
  streamsPerOrganisation: 50,
  /** Seconds after which an event stream ends; the client reconnects with the id of the last event. */
  streamSeconds: 60 * 60,
  textLength: 255,
  /** Characters of a person's note on an issue or a sign-off. */
  reasonLength: 500,
  /** Lifetimes fixed by the specification: access token, refresh token and authorisation code of the tools. */
  accessTokenSeconds: 60 * 60,
  refreshTokenSeconds: 30 * 24 * 60 * 60,
  authorizationCodeSeconds: 5 * 60,
  /** After a year, even an assistant in regular use needs a new consent. */
  grantSeconds: 365 * 24 * 60 * 60,
  /** Seconds from `authorize` to Allow, sign-in included. */
  interactionSeconds: 30 * 60,
  /** Bytes of a registration of a client. */
  registrationBytes: 4 * 1024,
  /** Clients that one address may register per hour; unused clients in total, and how long they are kept. */
  registrationsPerHour: 10,
  unusedClients: 10_000,
  unusedClientSeconds: 24 * 60 * 60,
  /** Authorisations and registrations that one address may begin per minute, each of which is stored; counted per server process. */
  authorisationsPerMinute: 300,
  /** Bytes of a client document; fetches that one address may trigger per hour; how long a document is cached. */
  clientDocumentBytes: 5 * 1024,
  clientDocumentsPerHour: 60,
  clientDocumentSeconds: 60 * 60,
  /** Calls of live tools per minute and organisation, counted per server process. */
  liveCallsPerMinute: 120,
  /** Bytes of a message to the tool endpoint. */
  toolBodyBytes: 64 * 1024,
  /** Messages in one request to the tool endpoint; older revisions allow several. */
  toolBatch: 10,
  webhooksPerOrganisation: 10,
  /** Hours for which the secret before the present one may sign messages too. */
  webhookOverlapHours: 7 * 24,
  /** Seconds for a message to a webhook: DNS, connecting and the answer together. */
  webhookSeconds: 15,
  /** Seconds after which a message is given up, and a webhook that only failed is switched off (S26). */
  webhookFailingSeconds: 3 * 24 * 60 * 60,
  /** Seconds after which a mail that could not be sent is given up; later it would only confuse. */
  notificationMailSeconds: 24 * 60 * 60,
  /** Days for which deliveries stay in the log. */
  deliveryDays: 30,
  deliveryTriesShown: 20,
} as const

/** What `replace` may delete without confirmation, unless an owner sets other limits (D4, S18). */
export const usualPruneLimits = { percent: 20, items: 100 } as const

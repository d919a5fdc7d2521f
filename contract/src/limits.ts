/** All limits of the service. In seconds unless the name says otherwise. */

const minute = 60
const hour = 60 * minute
const day = 24 * hour

export const limits = {
  accessTokenSeconds: day,
  /** In this time before the expiry an application gets a new token, so that clients can renew in time. */
  accessTokenRenewalSeconds: 10 * minute,
  sessionAccessTokenSeconds: 15 * minute,
  refreshTokenSeconds: 60 * day,
  /** In this time the same refresh token gets the same answer, for parallel calls and lost answers. */
  refreshGraceSeconds: 10,
  /** How long a sign-in counts as recent. */
  recentSignInSeconds: 10 * minute,
  /** The lifetime of a browser session, in total and without use. */
  consoleSession: { seconds: 12 * hour, idleSeconds: 2 * hour },
  longLivedToken: { minSeconds: day, defaultSeconds: 365 * day, maxSeconds: 217_728_001 },
  callsPerMinute: 10,
  /** Per operation, of the web console: a page calls many, and somebody may submit hundreds of files. */
  consoleCallsPerMinute: 600,
  credentialCallsPerMinute: 5,
  mailCallsPerMinute: 3,
  /** With a link for one purpose, to one account, from however many addresses they are requested. */
  linkMailsPerHour: 6,
  verifyCallsPerMinute: 60,
  /** Certificates in a batch. */
  batchItems: 10_000,
  /** In one request. */
  proofs: 100,
  proofCallsPerMinute: 10,
  /** How long the answer with a proof may wait for cosigners. */
  proofWaitSeconds: 10,
  callbackCallsPerMinute: 600,
  applicationsPerCompany: 6,
  /** Each has rate limits of its own. Test and live together, also those that have expired. */
  accessTokensPerCompany: 100,
  /** Test and live together. */
  hooksPerCompany: 100,
  /** Each sends its mails to the same addresses. Test and live together. */
  mailHooksPerCompany: 20,
  /** Per webhook, in the list. */
  countedFailures: 1_000,
  /** Certificates that a company can submit per day (UTC), in both modes together. */
  certificatesPerDay: { verified: 100_000, unverified: 1_000 },
  /** Deliveries of webhooks that a company can cause per day (UTC), in both modes together. */
  deliveriesPerDay: { verified: 500_000, unverified: 5_000 },
  /** Of companies that are not verified, with those deleted in the last 30 days. Verified ones do not count. */
  unverifiedCompaniesPerUser: 20,
  eventRetentionDays: 30,
  /** Less than a request may take. */
  eventWaitSeconds: 20,
  certificateRetentionDays: 30,
  brokerSessionSeconds: 30 * minute,
  /**
   * Maximum sessions stored for disconnected clients of an owner, if not more were connected at once. Clients with random
   * ids would create ever more.
   */
  brokerSessionsAway: 200,
  signatureToleranceSeconds: 5,
  /** Maximum clock difference to the mail provider. */
  callbackToleranceSeconds: 5 * minute,
  idempotencyKey: { minLength: 16, maxLength: 255, seconds: day },
  page: { default: 100, max: 1_000 },
  /** A list says up to this number how many there are. */
  countedEntries: 1_000,
  countedCertificates: 1_000,
  /** Certificates are counted up to this number, per state. */
  countedPerState: 100_000,
  eventAbout: { maxLength: 200 },
  searchText: { minLength: 1, maxLength: 200 },
  body: {
    defaultBytes: 256 * 1024,
    /** Without a token, so that reading it takes the server a few milliseconds. */
    publicBytes: 16 * 1024,
    /** The default. Operators can allow up to 10 MiB, for certificates with large embedded files. */
    certificateBytes: 3 * 1024 * 1024,
    /** An archive of schemas, or a batch of certificates. */
    archiveBytes: 32 * 1024 * 1024,
    logoBytes: 512 * 1024,
    depth: 64,
    headerBytes: 16 * 1024,
    /** The size of a form without its file. */
    formBytes: 64 * 1024,
    files: 1,
    fields: 5,
  },
  username: { minLength: 4, maxLength: 64 },
  password: { minLength: 8, maxLength: 256 },
  email: { maxLength: 254 },
  companyName: { minLength: 4, maxLength: 120 },
  vatId: { minLength: 4, maxLength: 15 },
  street: { minLength: 4, maxLength: 95 },
  city: { minLength: 1, maxLength: 50 },
  zipCode: { minLength: 1, maxLength: 20 },
  vatIdInput: { minLength: 4, maxLength: 20 },
  country: { minLength: 2, maxLength: 2 },
  url: { maxLength: 2_048 },
  urls: { maxItems: 20 },
  emails: { maxItems: 20 },
  description: { maxLength: 50 },
  reviewReason: { maxLength: 500 },
  timestamp: { maxLength: 40 },
  schemaType: { minLength: 1, maxLength: 68 },
  schemaVersion: { minLength: 5, maxLength: 19 },
  labelLanguages: { minLength: 2, maxLength: 60 },
  familyName: { minLength: 1, maxLength: 60 },
  /** Of a withdrawal, replacement or revocation, which the log records. */
  correctionReason: { minLength: 1, maxLength: 500 },
  authenticatorName: { minLength: 1, maxLength: 64 },
  recoveryCodes: 10,
  /** What a browser answers for a passkey, as JSON. */
  passkeyResponse: { minLength: 2, maxLength: 16_384 },
  mfaCode: { minLength: 6, maxLength: 40 },
  /** Rejects oversized tokens before they are parsed. */
  token: { minLength: 20, maxLength: 4_096 },
  linkToken: { minLength: 20, maxLength: 256 },
  clientId: { minLength: 1, maxLength: 64 },
  clientSecret: { minLength: 1, maxLength: 128 },
  scopes: { resources: 40, actions: 40, nameLength: 40 },
  applicationName: { minLength: 1, maxLength: 120 },
  identityName: { minLength: 1, maxLength: 64 },
  walletName: { minLength: 4, maxLength: 64 },
  nodeName: { minLength: 4, maxLength: 64 },
  mnemonic: { minLength: 32, maxLength: 512 },
  language: { minLength: 3, maxLength: 20 },
  coinType: { max: 608_589_380 },
  derivationIndex: { max: 2_147_483_647 },
  did: { minLength: 16, maxLength: 128 },
  publicKey: { minLength: 12, maxLength: 128 },
  transactionId: { minLength: 1, maxLength: 128 },
  transactionSubject: { minLength: 1, maxLength: 128 },
  ledgerQuery: { minLength: 1, maxLength: 256 },
  transaction: { parties: 100, publicKeys: 100, inputs: 100, fulfillmentLength: 16_384, amountLength: 19 },
  ethereumDataLength: 65_536,
  hash: { minLength: 8, maxLength: 128 },
  certificateCode: { maxLength: 22 },
  /** Entries of one export, and calls that read much of the audit log. */
  auditExport: 50_000,
  auditReadsPerMinute: 5,
  auditFilter: { minLength: 1, maxLength: 200 },
  jobKind: { minLength: 1, maxLength: 64 },
  hookName: { minLength: 1, maxLength: 64 },
  hookScopes: { maxItems: 40 },
  hookHeaders: { maxItems: 20, nameLength: 64, valueLength: 1_024 },
  hookSecret: { maxLength: 128 },
  deliveryError: { maxLength: 256 },
  customersPerCompany: 5_000,
  customer: {
    name: { minLength: 1, maxLength: 200 },
    street: { minLength: 1, maxLength: 200 },
    city: { minLength: 1, maxLength: 100 },
    language: { minLength: 2, maxLength: 2 },
  },
  /** Those in use, and all versions that are kept by their hash. */
  requirementsPerCompany: { inUse: 1_000, versions: 10_000 },
  requirementRules: { most: 200, priority: 100 },
  checksPerMinute: 600,
  filedPerMinute: 600,
  inbox: {
    decided: 200,
    reason: { minLength: 1, maxLength: 500 },
    fileName: { minLength: 1, maxLength: 200 },
    filter: { minLength: 1, maxLength: 200 },
    undoSeconds: day,
    keptYears: 10,
  },
  checkedCertificate: { minLength: 2, maxLength: 200_000 },
  requirement: {
    text: { minLength: 1, maxLength: 200 },
    unit: { minLength: 1, maxLength: 20 },
    decimalLength: 40,
    dimensions: 5,
    alternatives: 20,
    parts: 20,
    rules: 300,
  },
  /** Lines of one call, and of a company: in use, and with all versions that are kept by their hash. */
  orders: { lines: 1_000, heats: 100, perCompany: { inUse: 20_000, versions: 200_000 } },
  looksPerCompany: 200,
  lookReceiver: { minLength: 3, maxLength: 253 },
  look: {
    languages: 12,
    names: 100,
    nameLength: 60,
    footer: { minLength: 1, maxLength: 200 },
    previewedCertificate: { minLength: 2, maxLength: 200_000 },
  },
  /** So many temporary failures in so many days stop further mails to an address. */
  softBounces: { count: 3, days: 30 },
  /** How long a hard bounce stops mails about an account. */
  accountBounceSeconds: day,
  mailsPerDay: 2_000,
  /** `unreviewed`: of a company that is not verified, in the time that invitations are stored. */
  invitations: { days: 14, storedDays: 30, perDay: 50, unreviewed: 5 },
  mailSubject: { maxLength: 120 },
  attachmentName: { minLength: 4, maxLength: 255 },
} as const

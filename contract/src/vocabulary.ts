/** Values used across the contract, in the order of the API documents. */

export const services = [
  'auth-service',
  'user-service',
  'km-service',
  'certificate-service',
  'pipe-service',
] as const
export type Service = (typeof services)[number]

/** Of PAdES baseline: without and with a time stamp. */
export const sealLevels = ['B-B', 'B-T'] as const

export const modes = ['test', 'live'] as const
export type Mode = (typeof modes)[number]

/** Roles on the service. Members of a company have one of `memberRoles`. */
export const roles = ['USER', 'ADMIN'] as const
export type Role = (typeof roles)[number]

/** What happens to a certificate in which something does not fit together. */
export const answersToFindings = ['accept', 'refuse'] as const

/** How a value is compared with the limit of a requirement. */
export const roundings = ['halfEven', 'halfUp', 'exact'] as const

/** What a check says of a line, from the worst to the best; the worst line is the verdict. */
export const checkResults = ['fail', 'unknown', 'missing', 'pass'] as const
export type CheckResult = (typeof checkResults)[number]

/** How a certificate came to the desk: it was notarized for the company, or somebody filed it. */
export const inboxSources = ['notarized', 'filed'] as const
/** What the company decided; `new` is open. */
export const inboxStates = ['new', 'accepted', 'acceptedWithConcession', 'rejected', 'archived'] as const
export type InboxState = (typeof inboxStates)[number]
export const inboxDecisions = ['accepted', 'acceptedWithConcession', 'rejected', 'archived'] as const
export type InboxDecision = (typeof inboxDecisions)[number]
/** What the answers come to, from the worst to the best. */
export const inboxAdvices = ['doNotAccept', 'look', 'meetsEverything'] as const
export type InboxAdvice = (typeof inboxAdvices)[number]
/** Why a certificate was not checked against a requirement. */
export const uncheckedReasons = [
  'noRequirement',
  'severalRequirements',
  'noData',
  'requirementInvalid',
] as const
/** The forms in which a certificate is kept. */
export const inboxFiles = ['json', 'pdf'] as const

/** Whose certificates wait until a second person releases them, from the fewest to the most. */
export const fourEyesRules = ['off', 'people', 'everyone'] as const
export type FourEyes = (typeof fourEyesRules)[number]

/** From the most rights to the fewest: each role may what those after it may. */
export const memberRoles = ['admin', 'approver', 'clerk', 'operator', 'read_only'] as const
export type MemberRole = (typeof memberRoles)[number]
export const hasRightsOf = (role: MemberRole, needed: MemberRole): boolean =>
  memberRoles.indexOf(role) <= memberRoles.indexOf(needed)

/** What a process of the server does. */
export const processRoles = ['api', 'worker', 'broker'] as const
export type ProcessRole = (typeof processRoles)[number]

/** Whether a process can do the work of a role. */
export const roleStates = ['ready', 'read_only', 'not_ready'] as const
export type RoleState = (typeof roleStates)[number]

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** The strength of a sign-in: one factor or two. */
export const acrs = ['1fa', '2fa'] as const
export type Acr = (typeof acrs)[number]

/** The languages of mails to a person. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

export const onOff = ['enabled', 'disabled'] as const
export const activity = ['active', 'inactive'] as const
export const identityStates = ['valid', 'obsolete', 'revoked'] as const

/** BigchainDB, and an Ethereum-like type for filters and raw transactions only. Identities use the first. */
export const coinTypes = [822, 100_000_000] as const
export type CoinType = (typeof coinTypes)[number]

export const signatureTypes = ['transparent', 'opaque', 'stealth'] as const

/** What a transaction records on the ledger. */
export const transactionKinds = [
  'certificate',
  'identity',
  'review',
  'withdrawal',
  'replacement',
  'revocation',
  'other',
] as const
export type TransactionKind = (typeof transactionKinds)[number]

export const ledgerOperations = ['CREATE', 'TRANSFER'] as const

/** The BIP-39 word lists. */
export const mnemonicLanguages = [
  'english',
  'japanese',
  'korean',
  'spanish',
  'chinese_simplified',
  'chinese_traditional',
  'french',
  'italian',
  'czech',
  'portuguese',
] as const

export const hashAlgorithms = ['sha256', 'sha512', 'sha3-256', 'sha3-384', 'sha3-512'] as const
export const hashEncodings = ['hex', 'base64'] as const

/** The states of a notarization. */
export const certificateStates = ['awaitingRelease', 'accepted', 'running', 'notarized', 'failed'] as const

/** The states of a notarization when it was submitted. */
export const submissionStates = ['awaitingRelease', 'accepted'] as const

/** What a second person decided about a certificate that waited for a release. */
export const releaseDecisions = ['released', 'refused'] as const

/** Who can call: a person, or one of the two kinds of machine. */
export const callerKinds = ['user', 'application', 'accesstoken'] as const
export type CallerKind = (typeof callerKinds)[number]

/** Whether a company issued a certificate or received it. */
export const directions = ['issued', 'received'] as const
export type Direction = (typeof directions)[number]

/** What a list of certificates can be sorted by. */
export const certificateSorts = ['date', 'number', 'party'] as const
export type CertificateSort = (typeof certificateSorts)[number]
export const sortOrders = ['asc', 'desc'] as const
export type SortOrder = (typeof sortOrders)[number]

export const reviewDecisions = ['verified', 'rejected'] as const
/** pending: nobody reviewed the company yet. */
export const reviewStates = ['pending', 'rejected', 'verified'] as const
export type ReviewState = (typeof reviewStates)[number]
export const similarCompanyStates = ['verified', 'ended', 'deleted'] as const
export const hookContentTypes = ['application/json', 'application/x-www-form-urlencoded'] as const

/** What a verification says, in one word: docs/bundle.md has the table. */
export const verdicts = [
  'genuine',
  'unknownIssuer',
  'unknownStatus',
  'test',
  'refused',
  'replaced',
  'withdrawn',
  'revoked',
  'altered',
  'unchecked',
  'notFound',
] as const
/** Why an address gets no more mails of a company. */
export const suppressionReasons = ['unsubscribed', 'hard_bounce', 'soft_bounces'] as const
/** Why a mail about a certificate was not sent to an address. */
export const heldBackReasons = ['test_mode', 'unreviewed', 'unsubscribed', 'bounced', 'quota'] as const
export const invitationStates = ['open', 'accepted', 'withdrawn', 'expired'] as const
/** What a mail of a certificate is about. */
export const certificateMailKinds = ['certificate', 'correction', 'failure'] as const
export const certificateMailStates = ['waiting', 'sent', 'refused', 'not_sent'] as const
export const partStates = ['ok', 'degraded', 'down'] as const
/** What the ledger says about a printed code, where no file was verified. */
export const codeVerdicts = [
  'recorded',
  'unknownIssuer',
  'unknownStatus',
  'test',
  'replaced',
  'withdrawn',
  'revoked',
] as const
export const answers = ['yes', 'no', 'unknown'] as const
export const correctionKinds = ['withdrawn', 'replaced', 'revoked'] as const
/** In which role a key signed a correction. */
export const correctors = ['issuer', 'operator', 'recovery'] as const

/** Where a schema of certificates comes from. */
export const schemaOrigins = ['own', 'pack'] as const

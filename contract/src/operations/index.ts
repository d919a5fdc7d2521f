import * as accessTokens from './access-tokens.ts'
import * as applications from './applications.ts'
import * as audit from './audit.ts'
import * as auth from './auth.ts'
import * as batches from './batches.ts'
import * as broker from './broker.ts'
import * as certificates from './certificates.ts'
import * as coinTypes from './cointypes.ts'
import * as companies from './companies.ts'
import * as customers from './customers.ts'
import * as events from './events.ts'
import * as health from './health.ts'
import * as hooks from './hooks.ts'
import * as identities from './identities.ts'
import * as mailFolder from './mail-folder.ts'
import * as mailhooks from './mailhooks.ts'
import * as mails from './mails.ts'
import * as members from './members.ts'
import * as mfa from './mfa.ts'
import * as nodes from './nodes.ts'
import * as inbox from './inbox.ts'
import * as notarizations from './notarizations.ts'
import * as corrections from './corrections.ts'
import * as invitations from './invitations.ts'
import * as jobs from './jobs.ts'
import * as looks from './looks.ts'
import * as packs from './packs.ts'
import * as orders from './orders.ts'
import * as requirements from './requirements.ts'
import * as sessions from './sessions.ts'
import * as counts from './counts.ts'
import * as status from './status.ts'
import * as suppressions from './suppressions.ts'
import * as tokens from './tokens.ts'
import * as transactions from './transactions.ts'
import * as users from './users.ts'
import * as verifications from './verifications.ts'
import * as wallets from './wallets.ts'

/** Every operation by the name of its declaration, in the order of the API documents. */
export const operations = {
  ...auth,
  ...sessions,
  ...accessTokens,
  ...users,
  ...mfa,
  ...companies,
  ...members,
  ...invitations,
  ...suppressions,
  ...applications,
  ...tokens,
  ...coinTypes,
  ...nodes,
  ...wallets,
  ...identities,
  ...transactions,
  ...certificates,
  ...packs,
  ...looks,
  ...customers,
  ...orders,
  ...requirements,
  ...notarizations,
  ...batches,
  ...corrections,
  ...verifications,
  ...inbox,
  ...hooks,
  ...events,
  ...mailhooks,
  ...mails,
  ...broker,
  ...mailFolder,
  ...jobs,
  ...counts,
  ...status,
  ...audit,
  ...health,
} as const

export type OperationName = keyof typeof operations
export type OperationId = (typeof operations)[OperationName]['id']

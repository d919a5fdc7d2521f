import { type Application, limits } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Audit } from '../../../ports/audit/audit.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { UserService } from '../../user/index.ts'
import { toApplicationResponse } from '../applications/application-response.ts'
import {
  findApplicationOfClient,
  type IssuedToken,
  lockApplication,
  saveToken,
  type StoredApplication,
} from '../applications/applications.store.ts'
import { isClientSecret } from './client-credentials.ts'
import type { Tokens } from './tokens.ts'

export type ClientCredentials = { readonly clientId: string; readonly clientSecret: Secret }

export type ApplicationToken = {
  readonly token: Secret
  readonly secondsLeft: number
  readonly application: Application
}

export type ApplicationTokenDependencies = {
  readonly users: Pick<UserService, 'findCompany'>
  readonly database: Database
  readonly clock: Clock
  readonly audit: Audit
  readonly tokens: Pick<Tokens, 'sign'>
}

/**
 * The access token of an application: the one it has, signed again to the same letters, until that is nearly over.
 * Whether the client id or the secret was wrong is told to nobody and takes equally long.
 */
export const applicationToken =
  (deps: ApplicationTokenDependencies) =>
  async (credentials: ClientCredentials, client: { ip: string }): Promise<ApplicationToken> => {
    const { query } = deps.database
    const application = await findApplicationOfClient(query, credentials.clientId)
    if (!holds(application, credentials)) throw new Problem('credentials_wrong')
    const owner = await deps.users.findCompany(query, application.companyId)
    if (owner === undefined) throw new Problem('credentials_wrong')
    const record = toApplicationResponse(application, owner)
    const sign = ({ id, issuedAt, keyId }: Omit<IssuedToken, 'keyId'> & { keyId?: string }) =>
      deps.tokens.sign({
        kind: 'application',
        subject: application.id,
        tokenId: id,
        companyId: application.companyId,
        mode: application.mode,
        issuedAtMs: issuedAt.getTime(),
        lifetimeSeconds: limits.accessTokenSeconds,
        shown: {
          client_id: application.clientId,
          company: { id: owner.id, vatId: owner.vatId },
          scopes: application.scopes,
        },
        ...(keyId === undefined ? {} : { keyId }),
      })
    const issued = isLasting(application.token, deps.clock)
      ? application.token
      : await issueNext(deps, { credentials, application, client, sign })
    const { token } = await sign(issued)
    return { token, secondsLeft: secondsLeft(issued, deps.clock), application: record }
  }

type Issue = {
  readonly credentials: ClientCredentials
  readonly application: StoredApplication
  readonly client: { readonly ip: string }
  readonly sign: (token: Omit<IssuedToken, 'keyId'>) => Promise<{ readonly keyId: string }>
}

/** Of several that come here at once, the first makes the token and the others find it. */
const issueNext = (
  { database, clock, audit }: ApplicationTokenDependencies,
  { credentials, application: { id, companyId }, client, sign }: Issue,
): Promise<IssuedToken> =>
  database.transaction(async (tx) => {
    const application = await lockApplication(tx, { id, companyId })
    if (!holds(application, credentials)) throw new Problem('credentials_wrong')
    if (isLasting(application.token, clock)) return application.token
    const now = clock.now()
    const fresh = { id: uuidv7(now), issuedAt: new Date(now - (now % 1_000)) }
    const { keyId } = await sign(fresh)
    await saveToken(tx, id, { ...fresh, keyId })
    await audit.write(tx, {
      actor: `application:${id}`,
      action: 'tokens.create',
      subject: `application:${id}`,
      companyId,
      ipAddress: client.ip,
      details: { tokenId: fresh.id },
    })
    return { ...fresh, keyId }
  })

const holds = (
  application: StoredApplication | undefined,
  { clientSecret }: ClientCredentials,
): application is StoredApplication =>
  isClientSecret(clientSecret, application?.secretHash) && application !== undefined

const secondsLeft = ({ issuedAt }: Pick<IssuedToken, 'issuedAt'>, clock: Clock): number =>
  Math.floor(issuedAt.getTime() / 1_000) + limits.accessTokenSeconds - Math.floor(clock.now() / 1_000)

const isLasting = (token: IssuedToken | undefined, clock: Clock): token is IssuedToken =>
  token !== undefined && secondsLeft(token, clock) > limits.accessTokenRenewalSeconds

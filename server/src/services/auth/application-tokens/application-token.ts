import { type Application, limits } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import { toApplicationResponse } from '../applications/application-response.ts'
import {
  findApplicationOfClient,
  hasToken,
  type IssuedToken,
  lockApplication,
  saveToken,
  type StoredApplication,
} from '../applications/applications.store.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { isClientSecret } from '../applications/client-credentials.ts'
import { clockToleranceSeconds } from '../signing-keys/tokens.ts'

export type ClientCredentials = { readonly clientId: string; readonly clientSecret: Secret }

export type ApplicationToken = {
  readonly token: Secret
  readonly secondsLeft: number
  readonly application: Application
}

/**
 * Returns the access token of an application. Until shortly before its expiry this is always the same token, signed
 * again. A wrong client id and a wrong secret give the same answer in the same time.
 */
export const issueApplicationToken = async (
  deps: AuthDependencies,
  credentials: ClientCredentials,
  client: { readonly ip: string },
): Promise<ApplicationToken> => {
  const { query } = deps.database
  const application = await findApplicationOfClient(query, credentials.clientId)
  if (!isAuthenticated(application, credentials)) throw new Problem('credentials_wrong')
  const owner = await deps.users.findCompany(query, application.companyId)
  if (owner === undefined) throw new Problem('credentials_wrong')
  const sign = ({ tokenId, tokenIssuedAt, tokenKeyId }: TokenToSign) =>
    deps.tokens.sign({
      kind: 'application',
      subject: application.id,
      tokenId,
      companyId: application.companyId,
      mode: application.mode,
      issuedAtMs: tokenIssuedAt.getTime(),
      lifetimeSeconds: limits.accessTokenSeconds,
      extraClaims: {
        client_id: application.clientId,
        company: { id: owner.id, vatId: owner.vatId },
        scopes: JSON.parse(application.scopes),
      },
      keyId: tokenKeyId,
    })
  const issued = hasLastingToken(application, deps.clock)
    ? application
    : await issueNext(deps, { credentials, application, client, sign })
  const { token } = await sign(issued)
  return {
    token,
    secondsLeft: secondsLeft(issued, deps.clock),
    application: toApplicationResponse(application, owner),
  }
}

type TokenToSign = Omit<IssuedToken, 'tokenKeyId'> & { readonly tokenKeyId?: string }

type Issue = {
  readonly credentials: ClientCredentials
  readonly application: StoredApplication
  readonly client: { readonly ip: string }
  readonly sign: (token: TokenToSign) => Promise<{ readonly keyId: string }>
}

/** If several calls come at once, the first creates the token and the others find it. */
const issueNext = (
  { database, clock, audit }: AuthDependencies,
  { credentials, application: { id, companyId }, client, sign }: Issue,
): Promise<IssuedToken> =>
  database.transaction(async (tx) => {
    const application = await lockApplication(tx, { id, companyId })
    if (!isAuthenticated(application, credentials)) throw new Problem('credentials_wrong')
    if (hasLastingToken(application, clock)) return application
    const now = clock.now()
    const fresh = { tokenId: uuidv7(now), tokenIssuedAt: new Date(now - (now % 1_000)) }
    const { keyId: tokenKeyId } = await sign(fresh)
    const issued = { ...fresh, tokenKeyId }
    await saveToken(tx, id, issued)
    await audit.write(tx, {
      actor: `application:${id}`,
      action: 'tokens.create',
      subject: `application:${id}`,
      companyId,
      ipAddress: client.ip,
      details: { tokenId: fresh.tokenId },
    })
    return issued
  })

const isAuthenticated = (
  application: StoredApplication | undefined,
  { clientSecret }: ClientCredentials,
): application is StoredApplication =>
  isClientSecret(clientSecret, application?.secretHash) && application !== undefined

const secondsLeft = ({ tokenIssuedAt }: IssuedToken, clock: Clock): number =>
  Math.floor(tokenIssuedAt.getTime() / 1_000) + limits.accessTokenSeconds - Math.floor(clock.now() / 1_000)

const hasLastingToken = (
  application: StoredApplication,
  clock: Clock,
): application is StoredApplication & IssuedToken =>
  hasToken(application) &&
  secondsLeft(application, clock) > limits.accessTokenRenewalSeconds &&
  // A token of before the clock was set back is refused until the clock has reached its time again.
  secondsLeft(application, clock) <= limits.accessTokenSeconds + clockToleranceSeconds

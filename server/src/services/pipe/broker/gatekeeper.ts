import { modes } from '@millseal/contract'
import { missingForLive } from '../../../http/authorize.ts'
import type { Principal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { isUuid } from '../../../lib/uuid.ts'
import type {
  BrokerAuthenticator,
  BrokerCredentials,
  BrokerGrant,
  BrokerRefusal,
  BrokerRights,
} from '../../../ports/broker/broker.ts'
import { machineHears, memberHears, personHears } from '../../../ports/broker/topic-rights.ts'
import type { PipeDependencies } from '../dependencies.ts'
import type { Admission } from './admit.ts'

/** The username is `<vhost>:<id>`: of the user or the company of the token, or of a company that the user belongs to. */
export const createGatekeeper = (deps: PipeDependencies): BrokerAuthenticator => ({
  async authenticate({
    username,
    password,
    clientId,
  }: BrokerCredentials): Promise<BrokerGrant | BrokerRefusal> {
    const id = idIn(username, await deps.vhost())
    if (id === undefined) return 'credentials'
    const admission = await deps.admit(password).catch((error: unknown) => {
      if (error instanceof Problem) return undefined
      throw error
    })
    const grant = admission && (await grantFor(deps, admission, id))
    if (grant === undefined) return 'credentials'
    return isOwnClientId(clientId, grant.owner) ? grant : 'client_id'
  },
})

const idIn = (username: string, vhost: string): string | undefined =>
  username.startsWith(`${vhost}:`) ? username.slice(vhost.length + 1).toLowerCase() : undefined

/** Undefined if the token does not let its holder listen as this user or company. */
const grantFor = async (
  deps: PipeDependencies,
  { again, ...admission }: Admission,
  id: string,
): Promise<BrokerGrant | undefined> => {
  const { principal, untilMs, byRefreshToken } = admission
  // Refresh tokens are for older clients, which listen only as the person.
  if (byRefreshToken && principal.id !== id) return undefined
  const rights = await rightsOf(deps, principal, id)
  if (rights === undefined) return undefined
  return {
    ...rights,
    holder: `${principal.kind}:${principal.id}`,
    untilMs,
    async recheck() {
      const found = await again()
      return found === undefined ? undefined : grantFor(deps, { ...admission, principal: found, again }, id)
    },
  }
}

const rightsOf = async (
  { users }: PipeDependencies,
  principal: Principal,
  id: string,
): Promise<BrokerRights | undefined> => {
  if (principal.kind !== 'user') {
    if (principal.companyId !== id) return undefined
    return { owner: { kind: 'company', id }, hears: machineHears(principal) }
  }
  if (principal.id === id) return { owner: { kind: 'user', id }, hears: personHears(id) }
  if (!isUuid(id)) return undefined
  const standing = await users.findStanding(id, principal)
  if (standing?.role === undefined) return undefined
  const heard = modes.filter((mode) => missingForLive(principal, standing, mode) === undefined)
  return { owner: { kind: 'company', id }, hears: memberHears(id, heard) }
}

const ownerPrefix = /^(user|company)_([^_]*)/

/** A client id with the prefix of an owner must name this owner. Any other is valid: sessions are kept per owner. */
const isOwnClientId = (clientId: string, { kind, id }: BrokerGrant['owner']): boolean => {
  // oxlint-disable-next-line no-control-regex -- rejects control characters
  if (!/^[^\u0000-\u001f\u007f]+$/.test(clientId)) return false
  const [, prefixKind, prefixId] = ownerPrefix.exec(clientId) ?? []
  return prefixKind === undefined || (prefixKind === kind && prefixId === id)
}

import { Problem } from '../../../lib/problem.ts'
import type {
  BrokerAuthenticator,
  BrokerCredentials,
  BrokerGrant,
  BrokerRefusal,
} from '../../../ports/broker/broker.ts'
import { machineHears, personHears } from '../../../ports/broker/topic-rights.ts'
import type { PipeDependencies } from '../dependencies.ts'
import type { Admission } from './admit.ts'

/** The username is `<vhost>:<id>`, the password a token of exactly this user or company. */
export const createGatekeeper = ({ admit, vhost }: PipeDependencies): BrokerAuthenticator => ({
  async authenticate({
    username,
    password,
    clientId,
  }: BrokerCredentials): Promise<BrokerGrant | BrokerRefusal> {
    const id = idIn(username, await vhost())
    if (id === undefined) return 'credentials'
    const admission = await admit(password).catch((error: unknown) => {
      if (error instanceof Problem) return undefined
      throw error
    })
    if (admission === undefined) return 'credentials'
    const client = toClient(admission)
    if (client.owner.id !== id) return 'credentials'
    return isOwnClientId(clientId, client.owner) ? client : 'client_id'
  },
})

const idIn = (username: string, vhost: string): string | undefined =>
  username.startsWith(`${vhost}:`) ? username.slice(vhost.length + 1).toLowerCase() : undefined

const toClient = ({ principal, untilMs, again }: Admission): BrokerGrant => ({
  owner:
    principal.kind === 'user'
      ? { kind: 'user', id: principal.id }
      : { kind: 'company', id: principal.companyId },
  holder: `${principal.kind}:${principal.id}`,
  untilMs,
  hears: principal.kind === 'user' ? personHears(principal.id) : machineHears(principal),
  async recheck() {
    const found = await again()
    return found === undefined ? undefined : toClient({ principal: found, untilMs, again })
  },
})

const ownerPrefix = /^(user|company)_([^_]*)/

/** A client id with the prefix of an owner must name this owner. Any other is valid: sessions are kept per owner. */
const isOwnClientId = (clientId: string, { kind, id }: BrokerGrant['owner']): boolean => {
  // oxlint-disable-next-line no-control-regex -- rejects control characters
  if (!/^[^\u0000-\u001f\u007f]+$/.test(clientId)) return false
  const [, prefixKind, prefixId] = ownerPrefix.exec(clientId) ?? []
  return prefixKind === undefined || (prefixKind === kind && prefixId === id)
}

import type { Principal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import type {
  BrokerAuthenticator,
  BrokerCredentials,
  BrokerGrant,
  BrokerRefusal,
} from '../../../ports/broker/broker.ts'
import { machineHears, personHears } from '../../../ports/broker/topic-rights.ts'

/** Who a token stands for, for longer than a call; throws a `Problem` where it is none of ours, or none any more. */
export type Admit = (presented: Secret) => Promise<Admission>
export type Admission = {
  readonly principal: Principal
  readonly untilMs: number
  again(): Promise<Principal | undefined>
}

type Dependencies = { readonly admit: Admit; readonly vhost: () => Promise<string> }

/** Username `<vhost>:<id>`, and a token of exactly this user or company as the password. */
export const createGatekeeper = ({ admit, vhost }: Dependencies): BrokerAuthenticator => ({
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
    const guest = toGuest(admission)
    if (guest.owner.id !== id) return 'credentials'
    return isOwnClientId(clientId, guest.owner) ? guest : 'client_id'
  },
})

const idIn = (username: string, vhost: string): string | undefined =>
  username.startsWith(`${vhost}:`) ? username.slice(vhost.length + 1).toLowerCase() : undefined

const toGuest = ({ principal, untilMs, again }: Admission): BrokerGrant => ({
  owner:
    principal.kind === 'user'
      ? { kind: 'user', id: principal.id }
      : { kind: 'company', id: principal.companyId },
  holder: `${principal.kind}:${principal.id}`,
  untilMs,
  hears: principal.kind === 'user' ? personHears(principal.id) : machineHears(principal),
  async recheck() {
    const found = await again()
    return found === undefined ? undefined : toGuest({ principal: found, untilMs, again })
  },
})

const claimed = /^(user|company)_([^_]*)/

/** One that says whose it is says the truth; any other is good too, because it is only looked for among their own. */
const isOwnClientId = (clientId: string, { kind, id }: BrokerGrant['owner']): boolean => {
  // oxlint-disable-next-line no-control-regex -- they are what must not be in it.
  if (!/^[^\u0000-\u001f\u007f]+$/.test(clientId)) return false
  const [, claimedKind, claimedId] = claimed.exec(clientId) ?? []
  return claimedKind === undefined || (claimedKind === kind && claimedId === id)
}

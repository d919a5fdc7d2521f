import type { Acr, Mode, Role } from '@millseal/contract'

/** An authenticated person. Looked up for every call, so a revoked right is gone with the next one. */
export type UserPrincipal = {
  readonly kind: 'user'
  readonly id: string
  readonly username: string
  readonly email: string
  readonly role: Role
  readonly sessionId: string
  readonly tokenId: string
  readonly sessionStartedAtMs: number
  /** Time of the last sign-in; sensitive operations require a recent one. */
  readonly signedInAtMs: number
  /** Of the session: how many factors were used to sign in. */
  readonly acr: Acr
  /** When this session last proved a second factor. */
  readonly factorAtMs: number | undefined
  /** Of the account: whether signing in asks for a second factor now. */
  readonly hasMfa: boolean
}

export type MachinePrincipal = {
  readonly kind: 'application' | 'accesstoken'
  readonly id: string
  readonly companyId: string
  readonly mode: Mode
  /** `resource:action`, as the contract spells them. */
  readonly scopes: ReadonlySet<string>
  readonly tokenId: string
}

export type Principal = UserPrincipal | MachinePrincipal

/** As much of a principal as a record of its action needs. Machines have a mode. */
export type Actor = { readonly kind: Principal['kind']; readonly id: string; readonly mode?: Mode }

/** Names the caller in rate limits, stored answers and the audit log. */
export const principalName = (principal: Actor): string => `${principal.kind}:${principal.id}`

/** Of the person that is named so; undefined for a machine or the service. */
export const userIdIn = (name: string | null): string | undefined =>
  name?.startsWith('user:') === true ? name.slice('user:'.length) : undefined

import type { Mode, Role } from '@millseal/contract'

/** Who is calling: proven by a token, and looked up afresh, so that a revoked right is gone with the next call. */
export type UserPrincipal = {
  readonly kind: 'user'
  readonly id: string
  readonly username: string
  readonly email: string
  readonly role: Role
  readonly sessionId: string
  readonly tokenId: string
  readonly sessionStartedAtMs: number
  /** When the person last proved who they are; what is dangerous asks for it to be recent. */
  readonly signedInAtMs: number
  readonly hasMfa: boolean
}

export type MachinePrincipal = {
  readonly kind: 'application' | 'accesstoken'
  readonly id: string
  readonly companyId: string
  readonly mode: Mode
  /** `resource:action`, in the catalogue's spelling. */
  readonly scopes: ReadonlySet<string>
  readonly tokenId: string
}

export type Principal = UserPrincipal | MachinePrincipal

/** The name under which a caller is limited, remembered and audited. */
export const principalName = (principal: Principal): string => `${principal.kind}:${principal.id}`

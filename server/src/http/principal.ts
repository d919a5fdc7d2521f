import type { Mode, Role } from '@millseal/contract'

/** Who is calling, as the token proves it. What the database knows of them is looked up where it is needed. */
export type UserPrincipal = {
  readonly kind: 'user'
  readonly id: string
  readonly role: Role
  readonly tokenId: string
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

import type { Principal } from '../../../http/principal.ts'
import type { Secret } from '../../../lib/secret.ts'

/** Authenticates a token for longer than one call; throws a `Problem` if it is invalid or no longer counts. */
export type Admit = (presented: Secret) => Promise<Admission>
export type Admission = {
  readonly principal: Principal
  readonly untilMs: number
  readonly byRefreshToken: boolean
  again(): Promise<Principal | undefined>
}

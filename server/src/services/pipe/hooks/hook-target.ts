import type { Mode } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Courier } from '../../../ports/courier/courier.ts'

/** As far as the form of a URL tells. What its name resolves to is seen when it is called, each time anew. */
export const assertTarget = (
  courier: Courier,
  { connectionUrl, modes }: { readonly connectionUrl: string; readonly modes: readonly Mode[] },
): void => {
  if (!URL.canParse(connectionUrl)) throw refused('must be a URL')
  const url = new URL(connectionUrl)
  const refusal = courier.refusalOf(url)
  if (refusal !== undefined) throw refused(refusal)
  if (url.protocol === 'http:' && modes.includes('live') && !courier.isNamedByOperator(url)) {
    throw refused('must start with https:// to receive events of live mode')
  }
}

const refused = (reason: string): Problem =>
  new Problem('hook_target_refused', { details: [`/connectionUrl ${reason}`] })

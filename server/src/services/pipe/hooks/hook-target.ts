import type { Mode } from '@millseal/contract'
import { atPlace, because, type Reason } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import type { PipeDependencies } from '../dependencies.ts'

/** Checks the form of the URL. What its name resolves to is checked at every request. */
export const assertTarget = (
  { courier }: PipeDependencies,
  { connectionUrl, modes }: { readonly connectionUrl: string; readonly modes: readonly Mode[] },
): void => {
  if (!URL.canParse(connectionUrl)) throw refused(because('must_be_url'))
  const url = new URL(connectionUrl)
  const refusal = courier.refusalOf(url)
  if (refusal !== undefined) throw refused(refusal)
  if (url.protocol === 'http:' && modes.includes('live') && !courier.isNamedByOperator(url)) {
    throw refused(because('must_be_https_for_live'))
  }
}

const refused = (reason: Reason): Problem =>
  new Problem('hook_target_refused', { reasons: [atPlace('/connectionUrl', reason)] })

import type { Mode } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { PipeDependencies } from '../dependencies.ts'

/** Checks the form of the URL. What its name resolves to is checked at every request. */
export const assertTarget = (
  { courier }: PipeDependencies,
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

import { because } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'

/** The connection URL of the ledger inside this server. */
export const embedded = 'embedded'

const place = '/connectionUrl'

/** Private addresses are allowed: only operators add nodes, and a network may be internal to theirs. */
export const readConnectionUrl = (given: string): string => {
  if (given === embedded) return embedded
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new Problem('validation_failed', {
      reasons: [because('node_url_invalid', { embedded, place })],
    })
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Problem('validation_failed', {
      reasons: [because('node_url_has_credentials', { place })],
    })
  }
  return url.href.replace(/\/+$/, '')
}

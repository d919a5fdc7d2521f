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
      details: [`${place} must be "${embedded}" or a URL starting with https:// or http://`],
    })
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Problem('validation_failed', {
      details: [`${place} must not contain credentials, a query or a fragment`],
    })
  }
  return url.href.replace(/\/+$/, '')
}

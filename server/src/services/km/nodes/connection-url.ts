import { Problem } from '../../../lib/problem.ts'

/** What stands for the ledger of this service where others have a URL. */
export const embedded = 'embedded'

const place = '/connectionUrl'

/** A network inside the operator's own walls is a good one, so addresses are not refused: only operators add nodes. */
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
      details: [`${place} must have neither credentials nor a query nor a fragment`],
    })
  }
  return url.href.replace(/\/+$/, '')
}

import { type Certificate, limits, type operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { linkToNext } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import { findRecordedCorrections } from '../corrections/corrections.store.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { toCertificateResponse } from '../notarizations/certificate-response.ts'
import { findCertificatesById } from '../notarizations/certificates.store.ts'
import { mayReceive } from '../received/may-receive.ts'
import { type CertificateFilter, findCertificateIds } from './lists.store.ts'
import { readTextQuery, type TextQuery } from './search-words.ts'

const notReviewed =
  'query/direction can be received after an operator of the service has reviewed the VAT id of the company'

type ListCall = Call<typeof operations.listCertificates>

/** The first page says how many there are; counting further costs more than it tells. */
export const listCertificates = async (
  deps: CertificateDependencies,
  call: ListCall,
): Promise<Certificate[]> => {
  const { query } = deps.database
  if (call.query.direction === 'received' && !(await mayReceive(deps, call.companyId)))
    throw new Problem('company_unverified', { details: [notReviewed] })
  const { limit = limits.page.default, after } = call.query
  const isFirst = after === undefined
  const wanted = (isFirst ? Math.max(limit, limits.countedCertificates) : limit) + 1
  const ids = await findCertificateIds(query, filterOf(call), { after, limit: wanted })
  if (isFirst) {
    call.header('x-total-count', String(Math.min(ids.length, limits.countedCertificates)))
    call.header('x-total-count-exact', String(ids.length <= limits.countedCertificates))
  }
  const page = ids.slice(0, limit)
  const last = page.at(-1)
  if (ids.length > limit && last !== undefined)
    call.header('link', linkToNext({ ...call.query, after: last }))
  const found = new Map((await findCertificatesById(query, page)).map((one) => [one.id, one]))
  const corrections = Map.groupBy(
    await findRecordedCorrections(query, page),
    ({ certificateId }) => certificateId,
  )
  return page
    .flatMap((id) => found.get(id) ?? [])
    .map((certificate) => toCertificateResponse(certificate, corrections.get(certificate.id)))
}

const filterOf = ({ companyId, mode, query }: ListCall): CertificateFilter => {
  const { direction = 'issued', state, hash, identity, family, text } = query
  return {
    companyId,
    direction,
    mode,
    state,
    hash: hash?.toLowerCase(),
    identityId: identity,
    family,
    created: { from: timeOf(query, 'createdFrom'), to: timeOf(query, 'createdTo') },
    notarized: { from: timeOf(query, 'notarizedFrom'), to: timeOf(query, 'notarizedTo') },
    text: text === undefined ? undefined : textOf(text),
  }
}

type TimeField = 'createdFrom' | 'createdTo' | 'notarizedFrom' | 'notarizedTo'

/** The format allows a leap second, which has no time here. */
const timeOf = (query: ListCall['query'], field: TimeField): Date | undefined => {
  const text = query[field]
  if (text === undefined) return undefined
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
    throw new Problem('validation_failed', { details: [`query/${field} must be a time`] })
  return time
}

const textOf = (text: string): TextQuery => {
  const read = readTextQuery(text)
  if (read === undefined)
    throw new Problem('validation_failed', { details: ['query/text must contain a letter or a digit'] })
  return read
}

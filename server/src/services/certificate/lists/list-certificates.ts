import { type Certificate, limits, type operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { linkToNext } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Query } from '../../../ports/database/database.ts'
import { findRecordedCorrections } from '../certificates/corrections.store.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { toCertificateResponse } from '../certificates/certificate-response.ts'
import { findCertificatesById } from '../certificates/certificates.store.ts'
import { mayReceive } from '../certificates/may-receive.ts'
import type { CertificateFilter } from './filter.store.ts'
import { findCertificateIds } from './lists.store.ts'
import { readTextParameter } from '../certificates/text-parameter.ts'
import { findSortedIds, type Sorting } from './sorted-lists.store.ts'

const notReviewed = because('received_after_review', { place: 'query/direction' })

type ListCall = Call<typeof operations.listCertificates>

/** The first page says how many there are; counting further costs more than it tells. */
export const listCertificates = async (
  deps: CertificateDependencies,
  call: ListCall,
): Promise<Certificate[]> => {
  const { query } = deps.database
  if (call.query.direction === 'received' && !(await mayReceive(deps, call.companyId)))
    throw new Problem('company_unverified', { reasons: [notReviewed] })
  const { limit = limits.page.default } = call.query
  const ids = await findIds(query, call, limit)
  const page = ids.slice(0, limit)
  const last = page.at(-1)
  if (ids.length > limit && last !== undefined)
    call.header('link', linkToNext({ ...call.query, after: last }))
  const rows = await findCertificatesById(query, page)
  const found = new Map(rows.map((one) => [one.id, one]))
  const transactionIds = rows.map(({ transactionId }) => transactionId)
  const confirmed = await deps.keys.confirmed.find({ mode: call.mode, transactionIds })
  const corrections = Map.groupBy(
    await findRecordedCorrections(query, page),
    ({ certificateId }) => certificateId,
  )
  return page
    .flatMap((id) => found.get(id) ?? [])
    .map((certificate) =>
      toCertificateResponse(
        certificate,
        corrections.get(certificate.id),
        confirmed.get(certificate.transactionId ?? ''),
      ),
    )
}

/** One more than the page has, if there are more. */
const findIds = async (query: Query, call: ListCall, limit: number): Promise<readonly string[]> => {
  const { after } = call.query
  const filter = filterOf(call)
  const sorting = sortingOf(call)
  const counted = limits.countedCertificates
  const isCounted = after === undefined || sorting !== undefined
  const wanted = (isCounted ? Math.max(sorting === undefined ? limit : 0, counted) : limit) + 1
  const range = { after: sorting === undefined ? after : undefined, limit: wanted }
  const newest = await findCertificateIds(query, filter, range)
  if (after === undefined) {
    call.header('x-total-count', String(Math.min(newest.length, counted)))
    call.header('x-total-count-exact', String(newest.length <= counted))
  }
  if (sorting === undefined) return newest
  const found = newest.length > counted ? undefined : newest
  return await findSortedIds(query, { filter, sorting, found }, { after, limit: limit + 1 })
}

/** Undefined for the order that a list has without being sorted. */
const sortingOf = ({ query: { sort = 'date', order } }: ListCall): Sorting | undefined =>
  sort === 'date' && order !== 'asc' ? undefined : { sort, order: order ?? 'asc' }

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
    text: text === undefined ? undefined : readTextParameter(text),
  }
}

/** The format allows a leap second, which has no time here. */
const timeOf = (
  query: ListCall['query'],
  field: 'createdFrom' | 'createdTo' | 'notarizedFrom' | 'notarizedTo',
): Date | undefined => {
  const text = query[field]
  if (text === undefined) return undefined
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
    throw new Problem('validation_failed', {
      reasons: [because('must_be_time', { place: `query/${field}` })],
    })
  return time
}

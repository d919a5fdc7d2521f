import { limits, modes } from '@millseal/contract'
import { didOf, publicKeyOfDid } from '@millseal/proof'
import type { FastifyInstance } from 'fastify'
import { because, type Reason } from '@millseal/contract/reasons'
import { allowAnyOrigin } from '../../../http/cors.ts'
import { linkToNext } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { KmDependencies } from '../dependencies.ts'
import { readItem } from './feed-item.ts'
import { findMentions } from './log-mentions.store.ts'
import { plainVatId } from './mentions-of.ts'

const limited = { bucket: 'ledger.feed', perMinute: limits.verifyCallsPerMinute } as const

type Query = Readonly<Record<string, unknown>>

/** Serves `/ledger/<mode>/feed`: what a log has about a DID or a VAT id, newest first, for everybody. */
export const mountLogFeed = (server: FastifyInstance, deps: KmDependencies): void => {
  for (const mode of modes)
    server.get<{ Querystring: Query }>(
      `/ledger/${mode}/feed`,
      { config: { limited } },
      async (request, reply) => {
        allowAnyOrigin(reply)
        const { subject, limit, after } = readQuery(request.query)
        const found = await findMentions(deps.database.query, { mode, subject }, { limit: limit + 1, after })
        const page = found.slice(0, limit)
        const last = page.at(-1)
        if (found.length > limit && last !== undefined)
          reply.header('link', linkToNext({ ...request.query, after: last.position }))
        return reply
          .header('cache-control', 'no-store')
          .send((await Promise.all(page.map((mention) => readItem(deps, mode, mention)))).flat())
      },
    )
}

const readQuery = (
  query: Query,
): { readonly subject: string; readonly limit: number; readonly after: string | undefined } => {
  const { did, vatId, limit, after, ...others } = query
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw invalid(because('not_a_feed_parameter', { place: `query/${unknown}` }))
  if ((did === undefined) === (vatId === undefined)) throw invalid(because('feed_needs_subject'))
  if (after !== undefined && (typeof after !== 'string' || !/^[1-9]\d{0,17}$/.test(after)))
    throw invalid(because('feed_position_invalid', { place: 'query/after' }))
  const subject = did === undefined ? plainVatId(vatId) : plainDid(did)
  if (subject === undefined)
    throw invalid(
      did === undefined
        ? because('must_be_vat_id', { place: 'query/vatId' })
        : because('must_be_did', { place: 'query/did' }),
    )
  return { subject, limit: readLimit(limit), after }
}

const readLimit = (limit: unknown): number => {
  const wanted = limit === undefined ? limits.page.default : Number(limit)
  if (Number.isInteger(wanted) && wanted >= 1 && wanted <= limits.page.default) return wanted
  throw invalid(because('must_be_number_up_to', { most: limits.page.default, place: 'query/limit' }))
}

const plainDid = (did: unknown): string | undefined => {
  if (typeof did !== 'string' || did.length > limits.did.maxLength) return undefined
  try {
    return didOf(publicKeyOfDid(did)) === did ? did : undefined
  } catch {
    return undefined
  }
}

const invalid = (reason: Reason): Problem => new Problem('validation_failed', { reasons: [reason] })

import { limits } from '@millseal/contract'
import type { FastifyInstance } from 'fastify'
import type { CertificateDependencies } from '../dependencies.ts'
import { areRecorded } from './make-samples.ts'
import { findSamplePdf, type SampleKind, sampleKinds } from './samples.store.ts'

const limited = { bucket: 'certificates.samples', perMinute: limits.verifyCallsPerMinute } as const

/** Serves the samples, once the ledger has them. */
export const mountSampleFiles = (server: FastifyInstance, deps: CertificateDependencies): void => {
  for (const kind of sampleKinds)
    server.get(`/samples/${kind}.pdf`, { config: { limited } }, async (_request, reply) => {
      const pdf = deps.hasSamples ? await findSamplePdf(deps.database.query, kind) : undefined
      if (pdf === undefined) return reply.callNotFound()
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="sample-${kind}.pdf"`)
        .header('cache-control', 'no-cache')
        .send(pdf)
    })
}

/** The samples that the pages offer. Without a database they offer none, and stay. */
export const createSampleOffer = (deps: CertificateDependencies): (() => Promise<readonly SampleKind[]>) => {
  let isMade = false
  return async () => {
    if (deps.hasSamples && !isMade) isMade = await areRecorded(deps).catch(() => false)
    return isMade ? sampleKinds : []
  }
}

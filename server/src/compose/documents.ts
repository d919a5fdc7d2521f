import { availableParallelism } from 'node:os'
import {
  createFileReader,
  createPdfRenderer,
  createRegistry,
  type FileReader,
  type PdfRenderer,
  type Registry,
} from '@millseal/families'
import type { Config } from '../config.ts'
import type { FilesKind } from '../ports/files/files.ts'
import type { Packs } from '../services/certificate/index.ts'
import { openRoot } from './files.ts'
import { openPacks } from './packs.ts'
import type { Ports } from './ports.ts'

/** In S3, every look has a price. */
const recheckMsOf: Readonly<Record<FilesKind, number>> = { folder: 1_000, postgres: 1_000, s3: 5_000 }

export const openDocuments = (
  config: Config,
  { clock, log, database, processes }: Ports & { readonly processes: number },
): AsyncDisposable & {
  readonly schemas: Registry
  readonly packs: Packs
  readonly pdf: PdfRenderer
  readonly reader: FileReader
  readonly allowsOtherSellers: boolean
  readonly hasSamples: boolean
  readonly awaitsQuorum: boolean
  readonly confirmWaitMs: number
  readonly certificateBytes: number
  readonly certificatesPerDay: { readonly verified: number; readonly unverified: number }
  readonly queueMinutes: { readonly company: number; readonly service: number }
} => {
  // Threads beyond the cores only take memory.
  const threads =
    processes === 1 ? {} : { workers: Math.max(1, Math.floor(availableParallelism() / processes)) }
  const files = openRoot(config, database.query)
  const pdf = createPdfRenderer({ log, ...threads })
  const reader = createFileReader({
    log,
    ...threads,
    nowMs: () => clock.now(),
    // Without a rate limit, as in benchmarks, files have none either.
    processorMsPerMinute: config.rateLimit === 0 ? 0 : undefined,
  })
  return {
    schemas: createRegistry({ packs: files, log, recheckMs: recheckMsOf[files.kind] }),
    packs: openPacks(config, database),
    pdf,
    reader,
    allowsOtherSellers: config.otherSellers,
    hasSamples: config.samples,
    awaitsQuorum: config.confirm === 'quorum',
    confirmWaitMs: config.confirmWaitMs,
    queueMinutes: { company: config.companyQueueMinutes, service: config.queueMinutes },
    certificateBytes: config.certificateMebibytes * 1024 * 1024,
    certificatesPerDay: {
      verified: config.certificatesPerDay,
      unverified: config.unverifiedCertificatesPerDay,
    },
    async [Symbol.asyncDispose]() {
      for (const part of [pdf, reader]) await part[Symbol.asyncDispose]()
    },
  }
}

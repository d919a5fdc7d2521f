import { availableParallelism } from 'node:os'
import {
  createFileReader,
  createPdfRenderer,
  createRegistry,
  type FileReader,
  type PackFolder,
  type PdfRenderer,
  type Registry,
} from '@millseal/families'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Clock } from '../ports/clock/clock.ts'
import { openPacks, packPath } from './packs.ts'

type Documents = AsyncDisposable & {
  readonly schemas: Registry
  readonly packs: PackFolder
  readonly pdf: PdfRenderer
  readonly reader: FileReader
  readonly allowsOtherSellers: boolean
  readonly certificatesPerDay: { readonly verified: number; readonly unverified: number }
  readonly queueMinutes: { readonly company: number; readonly service: number }
}

export const openDocuments = (
  config: Config,
  { clock, log, processes }: { readonly clock: Clock; readonly log: Logger; readonly processes: number },
): Documents => {
  // Threads beyond the cores only take memory.
  const threads =
    processes === 1 ? {} : { workers: Math.max(1, Math.floor(availableParallelism() / processes)) }
  const pdf = createPdfRenderer({ log, ...threads })
  const reader = createFileReader({
    log,
    ...threads,
    nowMs: () => clock.now(),
    // Without a rate limit, as in benchmarks, files have none either.
    ...(config.rateLimit === 0 ? { processorMsPerMinute: 0 } : {}),
  })
  return {
    schemas: createRegistry({ packFolders: [packPath(config)], log }),
    packs: openPacks(config),
    pdf,
    reader,
    allowsOtherSellers: config.otherSellers,
    queueMinutes: { company: config.companyQueueMinutes, service: config.queueMinutes },
    certificatesPerDay: {
      verified: config.certificatesPerDay,
      unverified: config.unverifiedCertificatesPerDay,
    },
    async [Symbol.asyncDispose]() {
      for (const part of [pdf, reader]) await part[Symbol.asyncDispose]()
    },
  }
}

import { resolve } from 'node:path'
import { createPdfRenderer, createRegistry, type PdfRenderer, type Registry } from '@millseal/families'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'

type Parts = { readonly log: Pick<Logger, 'warn'> }

/** Which schemas certificates may name, and what draws their PDFs. */
export const openDocuments = (
  config: Config,
  { log }: Parts,
): { readonly schemas: Registry; readonly pdf: PdfRenderer } => ({
  schemas: createRegistry({ packFolders: [resolve(config.dataDir, 'packs')], log }),
  pdf: createPdfRenderer({ log }),
})

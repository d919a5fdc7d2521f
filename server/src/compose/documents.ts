import { resolve } from 'node:path'
import { createPdfRenderer, createRegistry, type PdfRenderer, type Registry } from '@millseal/families'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'

export const openDocuments = (
  config: Config,
  { log }: { readonly log: Logger },
): { readonly schemas: Registry; readonly pdf: PdfRenderer } => ({
  schemas: createRegistry({ packFolders: [resolve(config.dataDir, 'packs')], log }),
  pdf: createPdfRenderer({ log }),
})

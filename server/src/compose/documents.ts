import { createPdfRenderer, createRegistry, type PdfRenderer, type Registry } from '@millseal/families'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { packFolderOf } from './packs.ts'

export const openDocuments = (
  config: Config,
  { log }: { readonly log: Logger },
): { readonly schemas: Registry; readonly pdf: PdfRenderer } => ({
  schemas: createRegistry({ packFolders: [packFolderOf(config)], log }),
  pdf: createPdfRenderer({ log }),
})

import {
  createPdfRenderer,
  createRegistry,
  type PackFolder,
  type PdfRenderer,
  type Registry,
} from '@millseal/families'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { openPacks, packPath } from './packs.ts'

export const openDocuments = (
  config: Config,
  { log }: { readonly log: Logger },
): {
  readonly schemas: Registry
  readonly packs: PackFolder
  readonly pdf: PdfRenderer
  readonly allowsOtherSellers: boolean
} => ({
  schemas: createRegistry({ packFolders: [packPath(config)], log }),
  packs: openPacks(config),
  pdf: createPdfRenderer({ log }),
  allowsOtherSellers: config.otherSellers,
})

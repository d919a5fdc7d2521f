export { type CertificateLimits, certificateLimits } from './certificate/limits.ts'
export { hashCertificate } from './certificate/hash-certificate.ts'
export { languagesOf } from './certificate/languages.ts'
export { type CertificateParties, type CertificateParty, partiesOf } from './certificate/parties.ts'
export { type Certificate, CertificateUnreadable, readCertificate } from './certificate/read-certificate.ts'
export { type CertificateSummary, summarize } from './certificate/summarize.ts'
export { htmlPolicy, type HtmlOptions, renderHtml } from './html/render-html.ts'
export type { DocumentModel, FileReference, Warning } from './model/document.ts'
export { importPack } from './packs/import-pack.ts'
export { listPacks } from './packs/list-packs.ts'
export type { PackLayout } from './packs/load-pack.ts'
export { type PackManifest, PackRefused } from './packs/manifest.ts'
export {
  createPdfRenderer,
  type PdfRenderer,
  type PdfRendererOptions,
} from './pdf/renderer.ts'
export { type CompanyLayout, PdfError, type PdfFailure, type PdfRequest } from './pdf/request.ts'
export { plausibility } from './plausibility/plausibility.ts'
export { createRegistry, type Registry, type RegistryLog } from './registry/registry.ts'
export type { SchemaEntry } from './registry/schema-entry.ts'
export { toDocument } from './to-document.ts'
export type { Finding } from './validate/finding.ts'
export { validate } from './validate/validate.ts'

export { fullCertificates } from './full-certificates.ts'
export { draftECoc, oldEn10168, oldMetals } from './old-certificates.ts'
export { coaOf01, draftCoa } from './old-coa.ts'
export { oldTimber } from './old-timber.ts'
export {
  copyPublishedSchemas,
  realCertificate,
  realCertificates,
  withoutRealCertificates,
} from './real-certificates.ts'

import { type Read, textOf } from '../../../ui/list/read-search.ts'

export type CertificateSearch = {
  /** The certificate that was created to replace this one. */
  readonly replacedBy?: string | undefined
}

export const readCertificateSearch = (search: Read): CertificateSearch => ({
  replacedBy: textOf(search['replacedBy']),
})

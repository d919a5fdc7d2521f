import type { Certificate, CodedCertificate, Mode } from '@millseal/contract'
import { queryOptions } from '@tanstack/react-query'
import { api, ApiError } from '../../../api/client.ts'
import { busyMs, calmMs, type CertificateOf } from '../../../api/certificate.ts'
import { codeOf } from '../data/code.ts'

/** The history of one of our own certificates. */
export const lifeQuery = ({ company, id }: CertificateOf) =>
  queryOptions({
    queryKey: ['certificate', company, id, 'life'],
    queryFn: ({ signal }) => api.readCertificateLife({ company, params: { id }, signal }),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.completed !== undefined || data.failed !== undefined ? calmMs : busyMs,
  })

/** The deliveries of its events to the webhooks of the company. */
export const deliveriesQuery = ({ company, id }: CertificateOf) =>
  queryOptions({
    queryKey: ['certificate', company, id, 'deliveries'],
    queryFn: ({ signal }) => api.listEvents({ company, query: { certificate: id }, signal }),
    refetchInterval: calmMs,
  })

/** The bytes of a file; null once the server has deleted them. */
const orErased = async (file: Promise<Blob>): Promise<Blob | null> => {
  try {
    return await file
  } catch (error) {
    if (
      error instanceof ApiError &&
      (error.code === 'certificate_erased' || error.code === 'certificate_pending')
    )
      return null
    throw error
  }
}

export const pdfQuery = ({ company, id }: CertificateOf) =>
  queryOptions({
    queryKey: ['certificate', company, id, 'pdf'],
    queryFn: ({ signal }) => orErased(api.readCertificatePdf({ company, params: { id }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The PDF of a certificate that waits: nothing is signed yet. */
export const previewQuery = ({ company, id }: CertificateOf) =>
  queryOptions({
    queryKey: ['certificate', company, id, 'preview'],
    queryFn: async ({ signal }) => {
      const document = await api.readCertificateJson({ company, params: { id }, signal })
      return api.renderCertificate({ query: { type: 'pdf' }, document, signal })
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

export const jsonQuery = ({ company, id }: CertificateOf) =>
  queryOptions({
    queryKey: ['certificate', company, id, 'json'],
    queryFn: ({ signal }) => orErased(api.readCertificateJson({ company, params: { id }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The public answer of the ledger about a certificate; null if it has none. */
const readCoded = async (hash: string, mode: Mode, signal: AbortSignal): Promise<CodedCertificate | null> => {
  try {
    const { certificates } = await api.readCertificateCode({ params: { code: codeOf(hash) }, signal })
    return certificates.find((one) => one.mode === mode && one.hash.value === hash) ?? null
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

export const codedQuery = ({ hash, mode, state }: Certificate) =>
  queryOptions({
    queryKey: ['coded', mode, hash.value],
    queryFn: ({ signal }) => readCoded(hash.value, mode, signal),
    enabled: state === 'notarized',
  })

import type { Certificate } from '@millseal/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'

export type CertificateOf = { readonly company: string; readonly id: string }

/** Intervals at which an open certificate is read again: while it is notarized, and later. */
export const busyMs = 1_500
export const calmMs = 20_000

const isPending = ({ state }: Certificate): boolean => state === 'accepted' || state === 'running'

export const certificateQuery = ({ company, id }: CertificateOf) =>
  queryOptions({
    queryKey: ['certificate', company, id],
    queryFn: ({ signal }) => api.readCertificate({ company, params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isPending(data) ? busyMs : calmMs),
  })

import type { Mode } from '@millseal/contract'
import { queryOptions } from '@tanstack/react-query'
import { api, ApiError } from '../../api/client.ts'

/** The progress of a company in one mode. */
export type Progress = {
  readonly wallet: boolean
  readonly identity: boolean
  readonly published: boolean
  readonly certificate: boolean
}

const hasWallet = async (company: string, mode: Mode): Promise<boolean> => {
  try {
    await api.readWalletOfCompany({ params: { id: company }, query: { mode } })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false
    throw error
  }
}

const readProgress = async (company: string, mode: Mode): Promise<Progress> => {
  const [wallet, identities, certificates] = await Promise.all([
    hasWallet(company, mode),
    api.listIdentities({ company, query: { mode, status: 'valid', limit: 1_000 } }),
    api.listCertificates({ company, query: { mode, state: 'notarized', limit: 1 } }),
  ])
  return {
    wallet,
    identity: identities.length > 0,
    published: identities.some(({ isPublic }) => isPublic),
    certificate: certificates.length > 0,
  }
}

/** Changes by other people and machines appear within seconds. */
export const refreshMs = 5_000

export const progressQuery = (company: string | undefined, mode: Mode) =>
  queryOptions({
    queryKey: ['progress', company, mode],
    queryFn: () => (company === undefined ? null : readProgress(company, mode)),
    refetchInterval: refreshMs,
  })

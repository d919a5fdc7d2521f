import { because } from '@millseal/contract/reasons'
import { CertificateUnreadable, type ReadFile, ReadingRefused } from '@millseal/families'
import { networkOf } from '../../../lib/network-of.ts'
import { Problem } from '../../../lib/problem.ts'
import { unreadableProblem } from '../checking/read-document.ts'
import type { CertificateDependencies } from '../dependencies.ts'

/** Everybody may send files here, so nothing of them is parsed in this thread. */
export const readStrangersFile = async (
  { reader }: CertificateDependencies,
  bytes: Uint8Array,
  { ip }: { readonly ip: string },
): Promise<ReadFile> => {
  try {
    return await reader.read(bytes, networkOf(ip))
  } catch (error) {
    if (error instanceof CertificateUnreadable) throw unreadableProblem(error)
    if (error instanceof ReadingRefused) throw problemOf(error)
    throw error
  }
}

const problemOf = ({ reason, retryAfterSeconds }: ReadingRefused): Problem => {
  if (reason === 'too_costly') return new Problem('file_too_costly')
  if (reason === 'busy') return new Problem('unavailable', { retryAfterSeconds })
  return new Problem('rate_limited', {
    retryAfterSeconds,
    reasons: [because('files_cost_too_much', { seconds: retryAfterSeconds })],
  })
}

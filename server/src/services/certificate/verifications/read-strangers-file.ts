import type { ReadFile } from '@millseal/families'
import { networkOf } from '../../../lib/network-of.ts'
import { problemOfReading } from '../checking/read-document.ts'
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
    throw problemOfReading(error)
  }
}

import { type CertificateLife, callerKinds } from '@millseal/contract'
import type { CertificateDependencies } from '../dependencies.ts'

/** Who did something, by the name that they have now; `by` is a stored `principalName`. */
export const callerOf = async (
  { users, findMachineName }: CertificateDependencies,
  { by, companyId }: { readonly by: string | null; readonly companyId: string },
): Promise<CertificateLife['accepted']['by']> => {
  const [word, id] = by?.split(':') ?? []
  const kind = callerKinds.find((known) => known === word)
  if (kind === undefined || id === undefined) return undefined
  const name =
    kind === 'user' ? (await users.findSigner(id))?.username : await findMachineName({ kind, id, companyId })
  return { kind, id, name }
}

import type { CodeAnswer, CodedCertificate } from '@millseal/contract'
import { plainLine } from '@millseal/proof/verifier'
import { replacementOf, shortCodeOf } from './replacement.ts'
import type { Service } from './service.ts'

export type Coded = CodedCertificate & {
  /** The code of the certificate that replaces it. */
  readonly replacement?: string | undefined
}

/** The answers of the ledger about the code, or the hash, of a paper. */
export const lookUp = async (
  service: Service,
  { code, hash }: { readonly code: string | undefined; readonly hash: string | undefined },
): Promise<readonly Coded[]> => {
  const wanted = code ?? (hash !== undefined && /^[\da-f]{64}$/.test(hash) ? shortCodeOf(hash) : undefined)
  if (wanted === undefined) return []
  const text = await service(`api/certificates/codes/${encodeURIComponent(wanted)}`)
  if (text === undefined) return []
  const { certificates } = JSON.parse(text) as CodeAnswer
  const meant = certificates.filter((one) => hash === undefined || one.hash.value === hash)
  return Promise.all(
    meant.map(async (one) => ({
      ...one,
      replacement: await replacementOf(service, one.mode, decisive(one)?.replacedBy),
    })),
  )
}

/** The correction that decides. */
export const decisive = ({ verdict, corrections }: CodedCertificate) =>
  corrections?.findLast(({ kind }) => kind === verdict)

/** Leaves out the name that a key gave itself. */
export const knownIssuer = ({ answers, issuer }: CodedCertificate): CodedCertificate['issuer'] =>
  answers.issuer === 'yes' && issuer?.name !== undefined
    ? { ...issuer, name: plainLine(issuer.name) }
    : undefined

import type { CodeAnswer, CodedCertificate } from '@millseal/contract'
import { plainLine, readJson, valueAt } from '@millseal/proof/verifier'
import { shortCodeOf } from './judge.ts'
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
      replacement: await replacementOf(service, one).catch(() => undefined),
    })),
  )
}

/** The ledger names the replacement by its transaction, and the page by its code. */
const replacementOf = async (
  service: Service,
  { mode, verdict, corrections }: CodedCertificate,
): Promise<string | undefined> => {
  const id = corrections?.findLast(({ kind }) => kind === verdict)?.replacedBy
  if (verdict !== 'replaced' || id === undefined) return undefined
  const text = await service(`ledger/${mode}/api/v1/transactions/${encodeURIComponent(id)}`)
  const transaction = text && readJson(new TextEncoder().encode(text), { maxDepth: 64 })
  const hash = valueAt(transaction, ['asset', 'data', 'jsonHash'])
  return typeof hash === 'string' && /^[\da-f]{64}$/.test(hash) ? shortCodeOf(hash) : undefined
}

/** The correction that decides. */
export const decisive = ({ verdict, corrections }: CodedCertificate) =>
  corrections?.findLast(({ kind }) => kind === verdict)

/** Leaves out the name that a key gave itself. */
export const knownIssuer = ({ answers, issuer }: CodedCertificate): CodedCertificate['issuer'] =>
  answers.issuer === 'yes' && issuer?.name !== undefined
    ? { ...issuer, name: plainLine(issuer.name) }
    : undefined

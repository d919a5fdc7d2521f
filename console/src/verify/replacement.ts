import { decodeHex, encodeBase64Url, readJson, valueAt } from '@millseal/proof/verifier'
import type { Mode } from '@millseal/contract'
import type { Service } from './service.ts'

export const shortCodeOf = (hash: string): string => encodeBase64Url(decodeHex(hash).subarray(0, 16))

/** The code of the certificate that replaces another one, of which the ledger names the transaction. */
export const replacementOf = async (
  service: Service,
  mode: Mode,
  id: string | undefined,
): Promise<string | undefined> => {
  const text =
    id &&
    (await service(`ledger/${mode}/api/v1/transactions/${encodeURIComponent(id)}`).catch(() => undefined))
  const transaction = text && readJson(new TextEncoder().encode(text), { maxDepth: 64 })
  const hash = valueAt(transaction, ['asset', 'data', 'jsonHash'])
  return typeof hash === 'string' && /^[\da-f]{64}$/.test(hash) ? shortCodeOf(hash) : undefined
}

import { decodeBase58 } from '../encoding/base58.ts'
import { didOf } from '../identity/did-key.ts'
import type { JsonValue } from '../json/read.ts'
import { InvalidTransaction, type SignedTransaction } from '../ledger/transaction.ts'
import { verifyTransaction } from '../ledger/verify-transaction.ts'
import type { Primitives } from '../primitives.ts'
import type { Bundle } from './bundle.ts'
import type { TrustPolicy } from './policy.ts'
import type { Check } from './report.ts'

type Claim = {
  readonly transaction: SignedTransaction
  readonly publication: Bundle['publication']
  readonly policy: TrustPolicy
}

/** Whose key signed: known to the verifier, or at least said by the holder of the key on the ledger. */
export const checkIssuer = ({ transaction, publication, policy }: Claim, primitives: Primitives): Check => {
  const owners = transaction.inputs.flatMap(({ owners_before }) => owners_before)
  const [key] = owners
  if (key === undefined || owners.length !== 1) {
    return {
      name: 'issuer',
      outcome: 'failed',
      says: 'A certificate is signed by one key, this one by several',
    }
  }
  const did = didOf(decodeBase58(key))
  const known = policy.issuers.find((issuer) => issuer.did === did)
  if (known !== undefined) {
    return {
      name: 'issuer',
      outcome: 'passed',
      says: `Signed by ${known.name}, whose key you trust (${did})`,
    }
  }
  if (policy.onlyKnownIssuers) {
    return {
      name: 'issuer',
      outcome: 'failed',
      says: `Signed by a key that your policy does not know: ${did}`,
    }
  }
  const named = publication === undefined ? undefined : companyOf(publication.transaction, key, primitives)
  return {
    name: 'issuer',
    outcome: 'unknown',
    says:
      named === undefined
        ? `Signed by the key ${did}; whose it is, is not public`
        : `Signed by the key ${did}, which says on the ledger that it is ${named}'s; your policy does not know it`,
  }
}

/** What the key itself has signed about its owner, and nothing that only the bundle says. */
const companyOf = (publication: JsonValue, key: string, primitives: Primitives): string | undefined => {
  try {
    const { operation, asset, inputs } = verifyTransaction(publication, primitives)
    const isItsOwn = inputs.every(
      ({ owners_before: [owner, ...others] }) => owner === key && others.length === 0,
    )
    const company = operation === 'CREATE' && isItsOwn ? asset.data?.['company'] : undefined
    return typeof company === 'string' ? company : undefined
  } catch (error) {
    if (error instanceof InvalidTransaction) return undefined
    throw error
  }
}

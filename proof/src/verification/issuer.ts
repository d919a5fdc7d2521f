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

/** Checks the key that signed against the policy, and names the company that the key claims on the ledger. */
export const checkIssuer = ({ transaction, publication, policy }: Claim, primitives: Primitives): Check => {
  const owners = transaction.inputs.flatMap(({ owners_before }) => owners_before)
  const [key] = owners
  if (key === undefined || owners.length !== 1) {
    return {
      name: 'issuer',
      outcome: 'failed',
      says: 'Signed by several keys: a certificate must have exactly one',
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
      says: `Signed by key ${did}, which is not in your policy`,
    }
  }
  const named = publication === undefined ? undefined : companyOf(publication.transaction, key, primitives)
  return {
    name: 'issuer',
    outcome: 'unknown',
    says:
      named === undefined
        ? `Signed by key ${did}; its owner is not published`
        : `Signed by key ${did}, which claims on the ledger to belong to ${named}; it is not in your policy`,
  }
}

/** The company in a transaction signed by the key itself. Ignores the name in the bundle, which is not signed. */
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

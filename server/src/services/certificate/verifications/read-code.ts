import type { CodeAnswer, CodedCertificate, operations } from '@millseal/contract'
import type { Verdict } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { hashPrefixOf } from '../hashing/code.ts'
import { sha256Hex } from '../hashing/hash.ts'
import { type Coded, findByHashPrefix } from './codes.store.ts'
import { factsOf } from './facts.ts'
import { findEntry } from './find-entry.ts'
import { saidOf } from './notes.ts'

/** What the ledger says about a printed code. Nothing of the certificate itself: who has the paper has its values. */
export const readCode = async (
  deps: CertificateDependencies,
  { params }: Call<typeof operations.readCertificateCode>,
): Promise<CodeAnswer> => {
  const found = await findByHashPrefix(deps.database.query, hashPrefixOf(params.code))
  const recorded = await Promise.all(found.map((coded) => describe(deps, coded)))
  const certificates = recorded.filter((one) => one !== undefined)
  if (certificates.length === 0) throw new Problem('not_found')
  return { certificates }
}

const describe = async (
  deps: CertificateDependencies,
  { mode, hash }: Coded,
): Promise<CodedCertificate | undefined> => {
  const found = await findEntry(deps, { mode, hash, file: 'json' })
  if (found === undefined) return undefined
  const {
    verdict,
    answers,
    message: _,
    ...facts
  } = await factsOf(deps, { mode, hash, ...found, certificate: undefined })
  const { issuer, time, status } = answers
  return {
    ...facts,
    verdict: verdictOnCode(verdict),
    mode,
    hash: sha256Hex(hash),
    said: facts.notes?.map(saidOf),
    answers: { issuer, time, status },
  }
}

/** Paper is never genuine, and a certificate that several keys signed has no known issuer. */
const verdictOnCode = (verdict: Verdict): CodedCertificate['verdict'] => {
  switch (verdict) {
    case 'genuine':
      return 'recorded'
    case 'unknownStatus':
    case 'test':
    case 'replaced':
    case 'withdrawn':
    case 'revoked':
      return verdict
    default:
      return 'unknownIssuer'
  }
}

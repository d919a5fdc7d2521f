import type { BigChainTransaction } from '@millseal/contract'
import { decodeBase58, decodeBase64Url, didOf } from '@millseal/proof'
import type { Texts } from '../../texts/languages.ts'

export type FieldName = keyof Texts['transactions']['fields']

const fieldNames = [
  'company',
  'vatId',
  'jsonHash',
  'pdfHash',
  'did',
  'publicKey',
  'recoveryDid',
  'transactionId',
  'replacedBy',
  'since',
  'reason',
  'reviewedAt',
  'evidence',
] as const satisfies readonly FieldName[]

const dataOf = ({ asset }: BigChainTransaction): Readonly<Record<string, unknown>> => {
  const data = asset['data']
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
}

const textIn = (raw: BigChainTransaction, name: string): string | undefined => {
  const value = dataOf(raw)[name]
  return typeof value === 'string' ? value : undefined
}

export const fieldsOf = (raw: BigChainTransaction): readonly (readonly [FieldName, string])[] =>
  fieldNames.flatMap((name) => {
    const value = textIn(raw, name)
    return value === undefined ? [] : [[name, value] as const]
  })

/** The hash of the certificate, which leads to its proof. */
export const hashIn = (raw: BigChainTransaction): string | undefined => textIn(raw, 'jsonHash')

export const ownersOf = ({ inputs }: BigChainTransaction): readonly string[] => [
  ...new Set(inputs.flatMap(({ owners_before: owners }) => owners)),
]

export const didOfKey = (publicKey: string): string | undefined => {
  try {
    return didOf(decodeBase58(publicKey))
  } catch {
    return undefined
  }
}

export const signerDid = (raw: BigChainTransaction): string | undefined => {
  const [owner] = ownersOf(raw)
  return owner === undefined ? undefined : didOfKey(owner)
}

const signatureLength = 64

/** The signature at the end of the fulfillment of one key, in hex. */
export const signatureIn = (fulfillment: unknown): string | undefined => {
  if (typeof fulfillment !== 'string') return undefined
  const bytes = decodeBase64Url(fulfillment).slice(-signatureLength)
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

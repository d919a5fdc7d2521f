import { limits } from '@millseal/contract'
import {
  correctionType,
  decodeBase58,
  didOf,
  type LedgerObject,
  type SignedTransaction,
} from '@millseal/proof'
import { isDid } from '../transactions/what-it-records.ts'

export type MentionKind = 'certificate' | 'identity' | 'review' | 'correction'

/** Who an entry of a log concerns: its signers, and the DID and VAT id that it names. */
export type Mentions = {
  readonly kind: MentionKind
  readonly dids: readonly string[]
  readonly vatId: string | undefined
}

/** An entry that concerns somebody. */
export type FoundEntry = { readonly transaction: SignedTransaction; readonly mentions: Mentions }

/** Undefined for entries that are not certificates or about somebody. The transaction must be verified. */
export const mentionsOf = (transaction: SignedTransaction): Mentions | undefined => {
  const data = transaction.operation === 'CREATE' ? transaction.asset.data : null
  const kind = data === null ? undefined : kindOf(data)
  if (data === null || kind === undefined) return undefined
  const named = data['did']
  const dids = [...signersOf(transaction), ...(typeof named === 'string' && isDid(named) ? [named] : [])]
  const isAboutCompany = kind === 'identity' || kind === 'review'
  return { kind, dids: [...new Set(dids)], vatId: isAboutCompany ? plainVatId(data['vatId']) : undefined }
}

const kindOf = (data: LedgerObject): MentionKind | undefined => {
  const { type } = data
  if (type === 'identity' || type === 'review') return type
  if (type === correctionType) return 'correction'
  return typeof data['jsonHash'] === 'string' || typeof data['pdfHash'] === 'string'
    ? 'certificate'
    : undefined
}

const signersOf = ({ inputs }: SignedTransaction): readonly string[] =>
  inputs.flatMap(({ owners_before }) => owners_before.map((owner) => didOf(decodeBase58(owner))))

/** Without blanks, dots, dashes and lower case, as companies have it. Undefined if it cannot be a VAT id. */
export const plainVatId = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || value.length > maxSpelling) return undefined
  const plain = value.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  const { minLength, maxLength } = limits.vatId
  return plain.length >= minLength && plain.length <= maxLength ? plain : undefined
}

const maxSpelling = 100

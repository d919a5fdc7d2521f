import type { JsonValue } from '../json/read.ts'
import { plainLine } from './plain-line.ts'
import type { Report } from './report.ts'
import { type Seller, sellersOf } from './sellers.ts'
import { withoutMarks } from './without-marks.ts'

type Company = { readonly name: string; readonly vatId?: string | undefined }

/**
 * The seller that a certificate names, if none of those it names in one place is this company. Traders, and works that
 * certify for a seller, have good reasons: it is a remark, never an error.
 */
export const otherSeller = (certificate: JsonValue, company: Company): Seller | undefined =>
  otherAmong(sellersOf(certificate), company)

/**
 * The same for the sellers of a certificate. Each list of companies is judged alone: who names itself in a second one, where
 * a schema allows further fields, does not hide whom the first one names.
 */
export const otherAmong = (sellers: readonly Seller[], company: Company): Seller | undefined =>
  sellers.find((one) => !sellers.some((other) => listOf(other) === listOf(one) && isSame(other, company)))

const listOf = ({ pointer }: Seller): string => pointer.slice(0, pointer.lastIndexOf('/'))

/** `notary` is the name of the company that notarized the certificate. */
export const otherSellerSentence = (notary: string, { role, name, vatId }: Seller): string =>
  `Notarized by ${plainLine(notary, longestName)}; the certificate names ${plainLine(name ?? `VAT id ${vatId}`, longestName)} as its ${role}`

const longestName = 120

/** For an unchanged certificate whose issuer is known: what a key says about itself is not compared. */
export const otherSellerRemark = ({ answers, facts }: Report, certificate: JsonValue): string | undefined => {
  const { answer, name, vatId } = facts?.issuer ?? {}
  if (answers.unchanged !== 'yes' || answer !== 'yes' || name === undefined) return undefined
  const other = otherSeller(certificate, { name, vatId })
  return other && otherSellerSentence(name, other)
}

/** VAT ids decide if both have one; otherwise the names. */
const isSame = (seller: Seller, company: Company): boolean => {
  if (seller.vatId !== undefined && company.vatId !== undefined)
    return isSameVatId(seller.vatId, company.vatId)
  // Without a name there is nothing to compare.
  return seller.name === undefined || wordsOf(seller.name) === wordsOf(company.name)
}

/** Some certificates leave out the two letters of the country. */
const isSameVatId = (one: string, other: string): boolean => {
  const [short = '', long = ''] = [one, other]
    .map((text) => text.toUpperCase().replaceAll(/[^A-Z\d]/g, ''))
    .toSorted((a, b) => a.length - b.length)
  return long === short || (/^[A-Z]{2}/.test(long) && long.slice(2) === short)
}

export const legalForms: ReadonlySet<string> = new Set(
  `gmbh mbh ag kg kgaa ohg gbr se ug ev eg ek co and und et y e ltd limited plc llc llp lp inc incorporated corp
  corporation company sa sas sarl sasu spa srl snc sl slu bv nv vof cv ab as asa aps oy oyj kft zrt nyrt rt sp z oo zoo
  sro doo dd ad ood eood ead jsc pjsc ojsc ooo oao pao ao tov pte pty pvt kk lda ltda sti`.split(/\s+/),
)

/** A name without accents, case, punctuation, spaces and legal form: `Müller & Söhne Co. KG` equals `MUELLER SOEHNE`. */
const wordsOf = (name: string): string => {
  const plain = withoutMarks(name)
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[.']/g, '')
    .replaceAll(/([aou])e/g, '$1')
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const telling = words.filter((word) => !legalForms.has(word))
  return (telling.length === 0 ? words : telling).join('')
}

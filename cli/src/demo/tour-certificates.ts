import { randomInt } from 'node:crypto'
import type { JsonValue } from '@millseal/proof'
import { demoCertificate } from './certificate.ts'

export type Party = { readonly name: string; readonly vatId: string; readonly email: string }

export type Issued = { readonly seller: Party; readonly buyer: Party; readonly issuedOn: string }

const products = [
  { name: 'Hot rolled plate', grade: 'S355J2+N', norm: 'EN 10025-2', thickness: 20 },
  { name: 'Heavy plate', grade: 'S460M', norm: 'EN 10025-4', thickness: 60 },
  { name: 'Boiler plate', grade: 'P355NH', norm: 'EN 10028-3', thickness: 42 },
  { name: 'Wear plate', grade: 'S690QL', norm: 'EN 10025-6', thickness: 12 },
] as const

const shuffled = (from: number, to: number, digits: number): string =>
  (from + ((to - from) * randomInt(1_000)) / 1_000).toFixed(digits)

/** A certificate of the steel family; `index` decides product, order and heat. */
export const steelCertificate = (index: number, { seller, buyer, issuedOn }: Issued): JsonValue => {
  const base = demoCertificate({
    number: `${1_866_600 + index}/001`,
    issuedOn,
    mill: seller.name,
    millEmail: seller.email,
    receiverEmail: buyer.email,
  })
  const { Certificate } = base
  const product = products[index % products.length] ?? products[0]
  const heat = String(175_400 + Math.floor(index / 2))
  const { CommercialTransaction: transaction, Inspection: inspection } = Certificate
  return {
    ...base,
    Certificate: {
      ...Certificate,
      CommercialTransaction: {
        ...transaction,
        A01: { ...transaction.A01, VAT_Id: seller.vatId },
        A06: { ...transaction.A06, Name: buyer.name, VAT_Id: buyer.vatId },
        A07: `PO-${4_700 + Math.floor(index / 3)}`,
        A98: `DN-${800 + index}`,
      },
      ProductDescription: {
        ...Certificate.ProductDescription,
        B01: product.name,
        B02: { SteelDesignation: [product.grade], ProductNorm: [product.norm] },
        B07: heat,
        B09: { ...Certificate.ProductDescription.B09, Thickness: product.thickness },
      },
      Inspection: {
        ...inspection,
        C00: `${heat}-1`,
        ChemicalComposition: {
          C71: element('C', shuffled(0.14, 0.2, 2)),
          C72: element('Si', shuffled(0.2, 0.4, 2)),
          C73: element('Mn', shuffled(1.2, 1.6, 2)),
          C74: element('P', shuffled(0.008, 0.02, 3)),
          C75: element('S', shuffled(0.002, 0.008, 3)),
        },
      },
    },
  }
}

const element = (symbol: string, value: string) => ({ Symbol: symbol, Actual: { Value: value }, Unit: '%' })

/** A sample of a family with other parties and numbers: replaces texts that are whole values. */
export const variedSample = (sample: JsonValue, index: number, { seller, buyer }: Issued): JsonValue => {
  const changes: Readonly<Record<string, string>> = {
    ATU12345678: seller.vatId,
    DE123456789: buyer.vatId,
    'PO-7': `PO-${4_700 + index}`,
    'DN-3': `DN-${800 + index}`,
    'H-4711': `H-${4_700 + index}`,
    'B-1': `B-${20_700 + index}`,
  }
  return changed(sample, (text) => {
    if (/^(?:COA|ECOC|DMP|C)-2026-17$|^TIMBER-0042$/.test(text))
      return `${text.replace(/-\d+$/, '')}-${100 + index}`
    if (/^Example (?:Plastics|Forge|Mill|Timber)$/.test(text)) return seller.name
    if (/^Example (?:Moulder|Aircraft|Buyer|Sawmill)$/.test(text)) return buyer.name
    if (/^quality@.*\.example$/.test(text)) return seller.email
    return /@.*(?:\.example|example\.org)$/.test(text) ? buyer.email : (changes[text] ?? text)
  })
}

const changed = (value: JsonValue, change: (text: string) => string): JsonValue => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each: JsonValue) => changed(each, change))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, changed(each, change)]))
}

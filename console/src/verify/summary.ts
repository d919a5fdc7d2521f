import { type JsonValue, valueAt } from '@millseal/proof/verifier'

/** The names by which a person knows a certificate, read from the file itself. */
export type Summary = {
  readonly number: string | undefined
  readonly heat: string | undefined
  readonly order: string | undefined
  readonly date: string | undefined
}

/** A text, a number, or the values of a list. */
const textAt = (value: JsonValue | undefined, path: string): string | undefined => {
  const text = [valueAt(value, path.split('/')) ?? []]
    .flat()
    .filter((one) => typeof one === 'number' || typeof one === 'string')
    .join(', ')
    .trim()
  return text === '' ? undefined : text.slice(0, 80)
}

/** EN 10168, certificates of analysis, e-CoC, metals and timber. */
const [steel, passport] = ['Certificate/', 'DigitalMaterialPassport/']
const transaction = 'BusinessTransaction/Order/Id'
const paths: Readonly<Record<keyof Summary, readonly string[]>> = {
  number: [
    `${steel}CommercialTransaction/A03`,
    `${steel}Id`,
    'Id',
    `${passport}GeneralInformation/UserDefinedId`,
    `${passport}UserDefinedId`,
    `${passport}Id`,
  ],
  heat: [
    `${steel}ProductDescription/B07`,
    `${steel}Product/FillingBatchId`,
    `${steel}Analysis/LotId`,
    'EcocData/Results/ChemicalAnalysis/0/Heat',
    `${passport}ChemicalAnalysis/HeatNumber`,
    `${passport}Product/BatchId`,
    `${passport}Delivery/Batches`,
  ],
  order: [
    `${steel}CommercialTransaction/A07`,
    steel + transaction,
    `${passport}TransactionData/${transaction}`,
    `${passport}PurchaseOrder/Id`,
  ],
  date: [
    `${steel}Validation/Z02`,
    `${steel}Date`,
    'Declaration/DateOfIssue',
    `${passport}IssueDate`,
    `${passport}Date`,
  ],
}

/** Which of the names a field is. */
export const factAt = (keys: readonly string[]): keyof Summary | undefined => {
  const path = keys.join('/').replace(/\/\d+$/, '')
  return (Object.keys(paths) as (keyof Summary)[]).find((fact) => paths[fact].includes(path))
}

export const summaryOf = (certificate: JsonValue | undefined): Summary => {
  const find = (name: keyof Summary): string | undefined =>
    paths[name].map((path) => textAt(certificate, path)).find((text) => text !== undefined)
  return { number: find('number'), heat: find('heat'), order: find('order'), date: find('date') }
}

import type { JsonValue } from '@millseal/proof'
import type { CertificateParty, SummaryDraft } from '../family.ts'
import { withoutUndefined } from '../model/without-undefined.ts'
import { at, textAt, textsAt } from './shown.ts'

/** EN 10168, CoA and Metals describe companies in the same way; the older versions use other names. */
export const companyName = (company: JsonValue | undefined): string | undefined =>
  textAt(company, 'CompanyName') ?? textAt(company, 'Name')

export const companyOf = (
  company: JsonValue,
  { field, role = field }: { field: string; role?: string | undefined },
): CertificateParty =>
  withoutUndefined({
    field,
    role,
    name: companyName(company),
    emails: [...new Set([...textsAt(company, 'Email'), ...textsAt(company, 'Emails')])],
    vatId: textAt(company, 'VAT_Id') ?? identifierOf(company, 'VAT'),
    dunsId: textAt(company, 'DUNS') ?? identifierOf(company, 'DUNS'),
  })

const identifierOf = (company: JsonValue, name: string): string | undefined =>
  textAt(company, 'Identifiers', name) ?? textAt(company, 'Identifier', name)

const receiverFields = [
  'Customer',
  'Receiver',
  'GoodsReceiver',
  'ConsigneeOfCertificate',
  'CertificateReceiver',
]

export const firstReceiver = (parties: JsonValue | undefined): string | undefined =>
  receiverFields.map((field) => companyName(at(parties, field))).find((name) => name !== undefined)

/** Order and delivery of CoA and Metals. */
export const summarizeTransaction = (transaction: JsonValue | undefined): SummaryDraft => ({
  orderNumber: textAt(transaction, 'Order', 'Number') ?? textAt(transaction, 'Order', 'Id'),
  orderPosition: textAt(transaction, 'Order', 'Position'),
  deliveryNumber: textAt(transaction, 'Delivery', 'Number') ?? textAt(transaction, 'Delivery', 'Id'),
  deliveryPosition: textAt(transaction, 'Delivery', 'Position'),
})

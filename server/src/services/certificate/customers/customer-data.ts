import type { Customer, CustomerData } from '@millseal/contract'
import { withoutUndefined } from '@millseal/families'
import { usableVatId } from '../../../lib/vat/usable-vat-id.ts'
import { searchWords } from '../certificates/search-words.ts'
import type { StoredCustomer } from './customers.store.ts'

/** The columns of what a client sends. Throws if no register could have given the VAT id. */
export const toColumns = ({ name, vatId, emails = [], address = {}, language }: CustomerData) => {
  const { street, zipCode, city, country } = address
  const known = vatId === undefined ? undefined : usableVatId(vatId, '/vatId').vatId
  const distinct = [...new Set(emails)]
  return {
    name: name.trim(),
    vatId: known ?? null,
    emails: distinct,
    street: street ?? null,
    zipCode: zipCode ?? null,
    city: city ?? null,
    country: country ?? null,
    language: language ?? null,
    words: searchWords([name, known ?? '', city ?? '', ...distinct]),
  }
}

export const toCustomerResponse = (row: StoredCustomer): Customer =>
  withoutUndefined({
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    name: row.name,
    vatId: row.vatId ?? undefined,
    emails: row.emails,
    address: withoutUndefined({
      street: row.street ?? undefined,
      zipCode: row.zipCode ?? undefined,
      city: row.city ?? undefined,
      country: row.country ?? undefined,
    }),
    language: row.language ?? undefined,
  })

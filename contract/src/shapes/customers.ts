import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { Email, input, listOf, oneOf, output, stored } from './common.ts'

const line = (length: { readonly minLength: number; readonly maxLength: number }) =>
  Type.String({
    ...length,
    pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
  })

const address = {
  street: Type.Optional(line(limits.customer.street)),
  zipCode: Type.Optional(line(limits.zipCode)),
  city: Type.Optional(line(limits.customer.city)),
  country: Type.Optional(
    Type.String({
      ...limits.country,
      pattern: '^[A-Z]{2}$',
      description: 'ISO 3166-1 alpha-2',
      examples: ['AT'],
    }),
  ),
}

const others = {
  name: line(limits.customer.name),
  emails: Type.Optional(listOf(Email, limits.emails.maxItems)),
  language: Type.Optional(
    Type.String({
      ...limits.customer.language,
      pattern: '^[a-z]{2}$',
      description: 'The language of its certificates, ISO 639-1',
      examples: ['de'],
    }),
  ),
}

export const CustomerData = input('CustomerDataDto', {
  ...others,
  vatId: Type.Optional(
    Type.String({
      ...limits.vatIdInput,
      description: 'Stored as registers write it; check digits are checked where their rules are known',
    }),
  ),
  address: Type.Optional(input('CustomerAddressDataDto', address)),
})
export type CustomerData = Static<typeof CustomerData>

export const Customer = output('CustomerDto', {
  ...stored,
  ...others,
  emails: Type.Array(Email),
  vatId: Type.Optional(Type.String(limits.vatId)),
  address: output('CustomerAddressDto', address),
})
export type Customer = Static<typeof Customer>

export const CustomerQuery = {
  text: Type.Optional(
    Type.String({
      ...limits.searchText,
      description:
        'Words or parts of words, in any order, all of which occur in name, VAT id, city or e-mail addresses. Case and accents do not matter; words of one or two letters are found at the beginning of a word',
    }),
  ),
}

export const CustomerExport = Type.Object({ format: oneOf(['csv', 'json'] as const) })

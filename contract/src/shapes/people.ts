import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { activity, roles } from '../vocabulary.ts'
import { Email, Id, oneOf, output, stored } from './common.ts'

/** Users and companies as parts of other records, without references back. */
export const User = output('UserDto', {
  ...stored,
  username: Type.String(limits.username),
  email: Email,
  role: oneOf(roles),
  status: oneOf(activity),
  emailConfirmed: Type.Boolean(),
  onBoarded: Type.Boolean(),
})
export type User = Static<typeof User>

export const CompanyReference = output('CompanyReferenceDto', {
  id: Id,
  name: Type.String(limits.companyName),
  vatId: Type.String(limits.vatId),
})
export type CompanyReference = Static<typeof CompanyReference>

export const Address = output('AddressDto', {
  ...stored,
  country: Type.String({ ...limits.country, description: 'ISO 3166-1 alpha-2' }),
  street: Type.String(limits.street),
  city: Type.String(limits.city),
  zipCode: Type.String(limits.zipCode),
})
export type Address = Static<typeof Address>

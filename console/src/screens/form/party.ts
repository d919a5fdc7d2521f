/** A company as a certificate can describe it. */
export type Party = {
  readonly name: string
  readonly vatId?: string | undefined
  readonly emails: readonly string[]
  readonly address: {
    readonly street?: string | undefined
    readonly zipCode?: string | undefined
    readonly city?: string | undefined
    readonly country?: string | undefined
  }
}

/** The parts of an address, whose names differ between families. */
export const addressGroup = 'PartyAddress'
export const addressFields = {
  street: ['Street', 'StreetAddress'],
  zipCode: ['ZipCode', 'PostalCode'],
  city: ['City'],
  country: ['Country', 'CountryCode'],
} as const
export const vatField = 'VATID'

export const furtherFields = 'AdditionalPartyProperties'

type Wanted = {
  /** A03: the number of the certificate. */
  readonly number?: string
  readonly receiver?: { readonly vatId?: string; readonly email?: string }
}

/** A logo of one grey pixel. */
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='

let written = 0

/** A new EN 10168 certificate of an invented mill at every call. */
export const sampleCertificate = ({ number, receiver = {} }: Wanted = {}) => {
  written += 1
  return {
    RefSchemaUrl: 'https://schemas.millseal.org/en10168-schemas/v1.0.0/schema.json',
    Certificate: {
      CertificateLanguages: ['EN', 'DE'],
      CommercialTransaction: {
        A01: {
          Name: 'Rolling Mill',
          Street: 'Furnace Street 1',
          ZipCode: '4020',
          City: 'Steelton',
          Country: 'AT',
          Email: 'mill@example.com',
        },
        A02: 'Inspection certificate 3.1 according to EN 10204',
        A03: number ?? `MC-2026-${written}`,
        A04: pixel,
        A05: 'Factory production control',
        A06: {
          Name: 'Bridge Works',
          Street: 'Girder Road 2',
          ZipCode: '10115',
          City: 'Bridgetown',
          Country: 'DE',
          Email: receiver.email ?? 'receiver@example.com',
          ...(receiver.vatId === undefined ? {} : { VAT_Id: receiver.vatId }),
        },
        A07: 'PO-4711',
        A97: '10',
        A98: 'DN-815',
      },
      ProductDescription: {
        B01: 'Hot rolled plate',
        B02: { SteelDesignation: ['S355J2+N'], ProductNorm: ['EN 10025-2'] },
        B07: '175508',
        B08: 4,
        B09: { Form: 'Plate', Length: 6000, Width: 2000, Thickness: 20, Unit: 'mm' },
      },
      Inspection: {
        C00: '175508-1',
        ChemicalComposition: {
          C71: { Symbol: 'C', Actual: { Value: '0.17' }, Unit: '%' },
          C72: { Symbol: 'Si', Actual: { Value: '0.25' }, Unit: '%' },
          C73: { Symbol: 'Mn', Actual: { Value: '1.45' }, Unit: '%' },
        },
        TensileTest: {
          C11: { Property: 'ReH', Value: 377, Unit: 'MPa' },
          C12: { Property: 'Rm', Value: 545, Unit: 'MPa' },
        },
      },
      Validation: {
        Z01: 'The delivered products comply with the requirements of the order.',
        Z02: '2026-11-20',
        Z03: { Name: 'Quality department', Title: 'Works inspector' },
      },
    },
  }
}

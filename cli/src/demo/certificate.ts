import { demoLogo } from './logo.ts'

type Wanted = {
  /** Field A03: makes each certificate unique. */
  readonly number: string
  readonly issuedOn: string
  readonly mill: string
  readonly millEmail: string
  readonly receiverEmail: string
}

/** An EN 10168 certificate of a fictitious plate. */
export const demoCertificate = (wanted: Wanted) => ({
  RefSchemaUrl: 'https://schemas.millseal.org/en10168-schemas/v1.0.0/schema.json',
  Certificate: {
    CertificateLanguages: ['EN', 'DE'],
    CommercialTransaction: transactionOf(wanted),
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
        C71: element('C', '0.17'),
        C72: element('Si', '0.25'),
        C73: element('Mn', '1.45'),
        C74: element('P', '0.012'),
        C75: element('S', '0.004'),
      },
      TensileTest: {
        C11: { Property: 'ReH', Value: 377, Unit: 'MPa' },
        C12: { Property: 'Rm', Value: 545, Unit: 'MPa' },
      },
    },
    Validation: {
      Z01: 'The delivered products comply with the requirements of the order.',
      Z02: wanted.issuedOn,
      Z03: { Name: 'Quality department', Title: 'Works inspector' },
    },
  },
})

const transactionOf = ({ number, mill, millEmail, receiverEmail }: Wanted) => ({
  A01: {
    Name: mill,
    Street: 'Furnace Street 1',
    ZipCode: '4020',
    City: 'Steelton',
    Country: 'AT',
    Email: millEmail,
  },
  A02: 'Inspection certificate 3.1 according to EN 10204',
  A03: number,
  A04: demoLogo(),
  A05: 'Factory production control',
  A06: {
    Name: 'Bridge Works',
    Street: 'Girder Road 2',
    ZipCode: '10115',
    City: 'Bridgetown',
    Country: 'DE',
    Email: receiverEmail,
  },
  A07: 'PO-4711',
  A97: '10',
  A98: 'DN-815',
})

const element = (symbol: string, value: string) => ({
  Symbol: symbol,
  Actual: { Value: value },
  Unit: '%',
})

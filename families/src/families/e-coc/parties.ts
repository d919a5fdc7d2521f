import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt, textsAt } from '../../certificate/shown.ts'
import type { CertificateParty, Family } from '../../family.ts'
import { withoutUndefined } from '../../model/without-undefined.ts'

export const parties: Family['parties'] = (json) => listAt(json, 'EcocData', 'Data', 'Parties').map(partyOf)

const partyOf = (party: JsonValue): CertificateParty => {
  const role = textAt(party, 'PartyRole') ?? ''
  const emails = listAt(party, 'AdditionalPartyProperties')
    .filter((property) => /^e-?mail$/i.test(textAt(property, 'Name') ?? ''))
    .flatMap((property) => textsAt(at(property, 'Value')))
  return withoutUndefined({
    field: role,
    role,
    name: textAt(party, 'PartyName'),
    emails: [...new Set(emails)],
    vatId: identifierOf(party, 'VATID'),
    dunsId: identifierOf(party, 'DUNS'),
  })
}

const identifierOf = (party: JsonValue, kind: string): string | undefined =>
  textAt(
    listAt(party, 'PartyIdentifier').find((one) => textAt(one, 'NameOfIdentifier') === kind),
    'ValueOfIdentifier',
  )

import type { Company, ReviewEvidence } from '@millseal/contract'

export type Comparison = 'same' | 'differs' | 'silent' | 'unknown'
export type FieldName = 'vatId' | 'name' | 'street' | 'place' | 'country'

export type Compared = {
  readonly name: FieldName
  readonly wrote: string
  /** Undefined if the register does not say it. */
  readonly registered: string | undefined
  readonly result: Comparison
}

/** Letters and digits only: registers write in capitals, without accents, and shorten the word for street. */
const bare = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/ä|æ/g, 'ae')
    .replaceAll(/ö|ø|œ/g, 'oe')
    .replaceAll('ü', 'ue')
    .normalize('NFKD')
    .replaceAll(/strasse|str\./g, 'str')
    .replaceAll(/[^\p{Letter}\p{Number}]/gu, '')

/** The number begins with the country whose register is asked. Greece writes EL there. */
const countryOf = (vatId: string): string => vatId.slice(0, 2).replace('EL', 'GR')

/** The statements of a company beside those of the register. It marks differences; a person decides. */
export const compare = (company: Company, evidence: ReviewEvidence): readonly Compared[] => {
  const { register, registeredName, registeredAddress } = evidence
  const { street, zipCode, city, country } = company.address
  const resultOf = (isSame: boolean | undefined): Comparison => {
    if (register === 'unknown') return 'unknown'
    if (isSame === undefined) return 'silent'
    return isSame ? 'same' : 'differs'
  }
  const address = registeredAddress === undefined ? undefined : bare(registeredAddress)
  const contains = (...parts: readonly string[]) =>
    address === undefined ? undefined : parts.every((part) => address.includes(bare(part)))
  return [
    {
      name: 'vatId',
      wrote: company.vatId,
      registered: register === 'valid' ? evidence.vatId : undefined,
      result: resultOf(register === 'valid'),
    },
    {
      name: 'name',
      wrote: company.name,
      registered: registeredName,
      result: resultOf(
        registeredName === undefined ? undefined : bare(registeredName) === bare(company.name),
      ),
    },
    { name: 'street', wrote: street, registered: registeredAddress, result: resultOf(contains(street)) },
    {
      name: 'place',
      wrote: `${zipCode} ${city}`,
      registered: registeredAddress,
      result: resultOf(contains(zipCode, city)),
    },
    {
      name: 'country',
      wrote: country,
      registered: register === 'unknown' ? undefined : countryOf(evidence.vatId),
      result: resultOf(countryOf(evidence.vatId) === country),
    },
  ]
}

import type { RegisteredAddress } from '../../ports/vat-registry/vat-registry.ts'

/** The postal codes of each country. */
const zipCodes: Readonly<Record<string, string>> = {
  AT: String.raw`\d{4}`,
  BE: String.raw`\d{4}`,
  BG: String.raw`\d{4}`,
  CY: String.raw`\d{4}`,
  CZ: String.raw`\d{3} ?\d{2}`,
  DE: String.raw`\d{5}`,
  DK: String.raw`\d{4}`,
  EE: String.raw`\d{5}`,
  EL: String.raw`\d{3} ?\d{2}`,
  ES: String.raw`\d{5}`,
  FI: String.raw`\d{5}`,
  FR: String.raw`\d{5}`,
  HR: String.raw`\d{5}`,
  HU: String.raw`\d{4}`,
  IE: String.raw`[A-Z]\d[\dW] ?[A-Z\d]{4}`,
  IT: String.raw`\d{5}`,
  LT: String.raw`\d{5}`,
  LU: String.raw`\d{4}`,
  LV: String.raw`\d{4}`,
  MT: String.raw`[A-Z]{3} ?\d{2,4}`,
  NL: String.raw`\d{4} ?[A-Z]{2}`,
  PL: String.raw`\d{2}-\d{3}`,
  PT: String.raw`\d{4}-\d{3}`,
  RO: String.raw`\d{6}`,
  SE: String.raw`\d{3} ?\d{2}`,
  SI: String.raw`\d{4}`,
  SK: String.raw`\d{3} ?\d{2}`,
  XI: String.raw`[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}`,
}

const isoCountries: Readonly<Record<string, string>> = { EL: 'GR', XI: 'GB' }

/** Splits an address at its postal code. Without one, the whole text is the street. */
export const readAddress = (written: string, country: string): RegisteredAddress => {
  const lines = written
    .split(/\n| {3,}/)
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
  const parts = lines.length === 1 ? (lines[0] ?? '').split(/, */) : lines
  const place = findPlace(parts, zipCodes[country])
  return {
    text: lines.join('\n'),
    street: withoutCommas(place?.before ?? lines),
    city: place?.city ?? '',
    zipCode: place?.zipCode ?? '',
    country: isoCountries[country] ?? country,
  }
}

type Place = { readonly before: readonly string[]; readonly city: string; readonly zipCode: string }

const findPlace = (parts: readonly string[], zipCode: string | undefined): Place | undefined => {
  if (zipCode === undefined) return undefined
  const prefix = '(?:[A-Z]{1,2}-)?'
  const zipThenCity = new RegExp(`^${prefix}(?<zipCode>${zipCode})[ ,-]+(?<city>\\D.*)$`)
  const cityThenZip = new RegExp(`^(?<city>.*[^ ,])[ ,]+${prefix}(?<zipCode>${zipCode})$`)
  const zipAlone = new RegExp(`^${prefix}(?<zipCode>${zipCode})$`)
  // A street can look like a place, but the place comes last.
  for (let index = parts.length - 1; index > 0; index -= 1) {
    const part = parts[index] ?? ''
    const both = (zipThenCity.exec(part) ?? cityThenZip.exec(part))?.groups
    if (both !== undefined) return placeOf(parts.slice(0, index), both['city'], both['zipCode'])
    const alone = zipAlone.exec(part)?.groups
    if (alone !== undefined && index > 1)
      return placeOf(parts.slice(0, index - 1), parts[index - 1], alone['zipCode'])
  }
  return undefined
}

const placeOf = (before: readonly string[], city = '', zipCode = ''): Place => ({ before, city, zipCode })

const withoutCommas = (lines: readonly string[]): string =>
  lines.map((line) => line.replace(/,+$/, '')).join(', ')

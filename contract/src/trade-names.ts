/** What mills call the values of mechanical tests: symbols, and names in English and German. The first is our own. */
const namesOfValues = [
  [
    'Yield or proof strength',
    'Streck- oder Dehngrenze',
    'C11',
    'Re',
    'ReH',
    'ReL',
    'Rp0.2',
    'Rp0,2',
    'Rp1.0',
    'Rp1,0',
    'Rt0.5',
    'Rt0,5',
    'YS',
    'Yield strength',
    'Upper yield strength',
    'Lower yield strength',
    'Yield point',
    'Yield',
    'Proof strength',
    'Proof stress',
    'Streckgrenze',
    'Obere Streckgrenze',
    'Untere Streckgrenze',
    'Dehngrenze',
    '0,2-Dehngrenze',
    '0.2-Dehngrenze',
  ],
  [
    'Tensile strength',
    'Zugfestigkeit',
    'C12',
    'Rm',
    'TS',
    'UTS',
    'Ultimate tensile strength',
    'Tensile',
    'Ultimate strength',
  ],
  [
    'Elongation after fracture',
    'Bruchdehnung',
    'C13',
    'A',
    'A5',
    'A50',
    'A50mm',
    'A80',
    'A80mm',
    'A5.65',
    'A5,65',
    'El',
    'Elongation',
    'Total elongation',
    'Dehnung',
  ],
  ['Reduction of area', 'Brucheinschnürung', 'Z', 'RA', 'Einschnürung'],
  ['Impact energy', 'Kerbschlagarbeit', 'KV', 'KV2', 'KU', 'CVN', 'Charpy', 'Absorbed energy'],
  ['Hardness', 'Härte', 'HB', 'HBW', 'HV', 'HRC', 'HRB'],
] as const

const units = /(?:^|[\s/([])(MPa|N\/mm²|N\/mm2|N\/mm\^2|ksi|J|%)(?=$|[\s\])])/i

/** The unit that a heading names: `Rm [MPa]`. */
export const unitInHeading = (heading: string): string | undefined => units.exec(heading)?.[1]

const plain = (heading: string): string =>
  heading
    .replaceAll(/\(.*?\)|\[.*?\]/g, ' ')
    .replace(units, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()

const byName = new Map(
  namesOfValues.flatMap((names) => names.map((name) => [plain(name), { value: names[0], name }] as const)),
)

const symbol = /^(?:Re[HL]?|R[pt][\d.,]+|A[\d.,]+(?:mm)?)$/

/** Of `Yield strength ReH` both words mean the same value. */
const known = (heading: string) => {
  const text = plain(heading)
  const [first, last] = [text.slice(0, text.lastIndexOf(' ')), text.slice(text.lastIndexOf(' ') + 1)]
  const found = byName.get(text)
  if (found !== undefined) return found
  const both = byName.get(last)
  return byName.get(first)?.value === both?.value ? both : undefined
}

/** The value that a heading of a table means, by our name for it, and the symbol if the heading has one. */
export const tradeNameOf = (
  heading: string,
): { readonly value: string; readonly symbol: string | undefined } | undefined => {
  const found = known(heading)
  return found && { value: found.value, symbol: symbol.test(found.name) ? found.name : undefined }
}

export const elements: ReadonlySet<string> = new Set(
  (
    'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo ' +
    'Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Th U'
  ).split(' '),
)

const gases: Readonly<Record<string, string>> = { H2: 'H', N2: 'N', O2: 'O' }

const equivalents: Readonly<Record<string, string>> = {
  CEV: 'CEV',
  CEIIW: 'CEV',
  CET: 'CET',
  PCM: 'Pcm',
  CEPCM: 'Pcm',
}

/** `CE` is a carbon equivalent and `RE` are rare earths: neither is an element in capitals. */
const notInCapitals: ReadonlySet<string> = new Set(['CE', 'RE'])

/** The name of a share of a chemical analysis. Case matters: `Ce` is cerium. */
export const chemicalName = (printed: string): string => {
  if (elements.has(printed)) return printed
  const plain = printed.toUpperCase().replaceAll(/[\s()_-]/g, '')
  const known = equivalents[plain] ?? gases[plain]
  if (known !== undefined) return known
  const capitalized = printed.charAt(0) + printed.slice(1).toLowerCase()
  return /^[A-Z]{2}$/.test(printed) && !notInCapitals.has(printed) && elements.has(capitalized)
    ? capitalized
    : printed
}

const yieldStrength = 'yield strength'
const elongation = 'elongation'

const strengths: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['ReH', /\breh\b/i],
  ['ReL', /\brel\b/i],
  ['Rp0.2', /\brp\s?0[.,]2\b/i],
  ['Rp1.0', /\brp\s?1[.,]0\b/i],
  ['Rt0.5', /\brt\s?0[.,]5\b/i],
]

const others: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['A80', /\bA80\b/],
  ['A', /^A5?$|\bA5\b/],
  [elongation, /elongation|bruchdehnung/i],
  ['Z', /^Z$|reduction of area|brucheinschnürung/i],
  ['KV', /^KV2?$|charpy.*\bV\b|\biso-v\b/i],
  ['HBW', /^HBW?$|brinell/i],
  ['HV', /^HV\d*$|vickers/i],
]

/** Names of yield strengths, of which a certificate that names two does not say which it means. */
export const yields: readonly string[] = [...strengths.map(([name]) => name), yieldStrength]

/** By the symbol or the name; never that of an element. `Re` alone does not say which yield strength. */
export const mechanicalName = (...printed: readonly (string | undefined)[]): string => {
  const known = printed.map((text) => (text === undefined ? undefined : knownName(text)))
  const other = printed.find((text) => text !== undefined && !elements.has(text))
  return known.find((name) => name !== undefined) ?? other ?? '–'
}

const knownName = (text: string): string | undefined => {
  const isTensile = /\brm\b|tensile strength|zugfestigkeit/i.test(text)
  const found = strengths.filter(([, pattern]) => pattern.test(text)).map(([name]) => name)
  const isYield = found.length > 0 || /\bre\b|yield (?:strength|point)|streckgrenze/i.test(text)
  // A ratio such as Re/Rm is neither.
  if (isTensile && isYield) return undefined
  if (isTensile) return 'Rm'
  if (isYield) return found.length === 1 ? found[0] : yieldStrength
  if (/\bA5?\s?\/\s?A80\b/.test(text)) return elongation
  return others.find(([, pattern]) => pattern.test(text))?.[0]
}

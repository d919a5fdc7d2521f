import { over, type Rational, times } from '../facts/decimal.ts'
import { elements, yields } from '../facts/names.ts'

type Quantity = 'share' | 'stress' | 'energy' | 'length' | 'mass'

const ratio = (top: bigint, bottom = 1n): Rational => ({ top, bottom })
const whole = ratio(1n)
/** A pound-force in newtons: 0.45359237 kg times 9.80665 m/s². */
const poundForce = ratio(44_482_216_152_605n, 10_000_000_000_000n)
/** In newtons per square millimetre: an inch is 25.4 mm. */
const psi = times(poundForce, ratio(100n, 64_516n))
const kilogramForce = ratio(980_665n, 100_000n)

/** Each with its factor to the first one and its spellings, without blanks, dots and raised digits. */
const units: Readonly<Record<Quantity, readonly (readonly [factor: Rational, spellings: string])[]>> = {
  share: [
    [whole, '% percent Percent wt% mass% massfraction% Gew% Masse%'],
    [ratio(1n, 10n), '‰'],
    [ratio(1n, 10_000n), 'ppm PPM mg/kg'],
  ],
  stress: [
    [whole, 'MPa Mpa MPA N/mm2 N/MM2 n/mm2 MN/m2'],
    [ratio(1_000n), 'GPa'],
    [ratio(1n, 1_000n), 'kPa'],
    [times(psi, ratio(1_000n)), 'ksi KSI kip/in2'],
    [psi, 'psi PSI lbf/in2'],
    [kilogramForce, 'kgf/mm2 kp/mm2'],
  ],
  energy: [
    [whole, 'J Joule joule Joules joules Nm'],
    [times(poundForce, ratio(3_048n, 10_000n)), 'ftlb ftlbs ftlbf lbfft'],
    [kilogramForce, 'kgfm kpm'],
  ],
  length: [
    [whole, 'mm MM Mm'],
    [ratio(10n), 'cm CM'],
    [ratio(1_000n), 'm'],
    [ratio(1n, 1_000n), 'µm μm um mum'],
    [ratio(254n, 10n), 'in inch inches " ″ IN'],
    [ratio(3_048n, 10n), 'ft'],
  ],
  mass: [
    [whole, 'kg KG Kg'],
    [ratio(1_000n), 't T to Mg'],
    [ratio(1n, 1_000n), 'g'],
    [ratio(45_359_237n, 100_000_000n), 'lb lbs'],
  ],
}

/** What can be suggested for each quantity. */
export const unitsOf: Readonly<Record<Quantity, string>> = {
  share: '%, ppm',
  stress: 'MPa, N/mm², ksi',
  energy: 'J, ft·lb',
  length: 'mm, m, in',
  mass: 'kg, t, lb',
}

const known = new Map(
  Object.entries(units).flatMap(([quantity, list]) =>
    list.flatMap(([factor, spellings]) =>
      spellings.split(' ').map((spelling) => [spelling, { quantity, factor }] as const),
    ),
  ),
)

const unitOf = (text: string) => known.get(text.replaceAll('²', '2').replaceAll(/[\s.·⋅*-]/g, ''))

/** By an exact factor; undefined if one of the units is not known, or if they measure different things. */
export const convert = (
  value: Rational,
  { from, to }: { readonly from: string; readonly to: string },
): Rational | undefined => {
  if (from === to) return value
  const [given, wanted] = [unitOf(from), unitOf(to)]
  if (given === undefined || wanted === undefined || given.quantity !== wanted.quantity) return undefined
  return given.factor === wanted.factor ? value : over(times(value, given.factor), wanted.factor)
}

export const isUnitOf = (quantity: Quantity, unit: string): boolean => unitOf(unit)?.quantity === quantity

export const carbonEquivalents: readonly string[] = ['CEV', 'CET', 'Pcm']
export const dimensions: readonly string[] = ['thickness', 'width', 'length']

/** What a name measures; none for numbers without a unit, and for names that only the certificate knows. */
export const quantities = new Map<string, Quantity>([
  ...[...elements].map((name) => [name, 'share'] as const),
  ...['rhenium', 'A', 'A80', 'elongation', 'Z'].map((name) => [name, 'share'] as const),
  ...[...yields, 'Rm'].map((name) => [name, 'stress'] as const),
  ['KV', 'energy'],
  ...dimensions.map((name) => [name, 'length'] as const),
  ...['mass', 'theoretical mass', 'unit mass'].map((name) => [name, 'mass'] as const),
])

export const vocabulary: readonly string[] = [
  ...quantities.keys(),
  ...carbonEquivalents,
  'HBW',
  'HV',
  'pieces',
  'standard',
]

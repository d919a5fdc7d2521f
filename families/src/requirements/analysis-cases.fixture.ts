import { fact, type WorkedCase } from './worked-case.fixture.ts'

const [h1, h2] = [{ heat: 'H1' }, { heat: 'H2' }]
const carbon = { of: 'C', max: '0.20', unit: '%' }
const full = (heat: string, more: Readonly<Record<string, string>> = {}) =>
  Object.entries({
    C: '0.16',
    Mn: '1.20',
    Cr: '0.05',
    Mo: '0.02',
    V: '0.01',
    Ni: '0.10',
    Cu: '0.20',
    ...more,
  }).map(([of, value]) => fact(of, `${value} %`, { heat }))
const names = 'design of receiving, names of properties'
const detection = 'design of receiving, limits of detection'
const heats = 'design of receiving: every heat must pass'
const iiw = 'formula of the International Institute of Welding, as EN 10025-1 cites it'

export const analysisCases: readonly WorkedCase[] = [
  {
    says: 'cerium is not the carbon equivalent',
    source: names,
    facts: [fact('Ce', '0.0002 %'), fact('CE', '0.42')],
    rules: [
      { of: 'Ce', max: '0.001', unit: '%' },
      { of: 'CEV', max: '0.45' },
    ],
    verdict: 'missing',
    lines: ['pass Ce 0.000 max 0.001 %', 'missing CEV'],
  },
  {
    says: 'rhenium is asked for by its name',
    source: names,
    facts: [fact('Re', '0.0001 %')],
    rules: [
      { of: 'rhenium', max: '0.001', unit: '%' },
      { of: 'ReH', min: '355', unit: 'MPa' },
    ],
    verdict: 'missing',
    lines: ['pass rhenium 0.000 max 0.001 %', 'missing ReH'],
  },
  {
    says: 'cobalt is no carbon monoxide: symbols have their case',
    source: names,
    facts: [fact('Co', '0.01 %')],
    rules: [{ of: 'C', max: '0.20', unit: '%' }],
    verdict: 'missing',
    lines: ['missing C'],
  },
  {
    says: 'what is not printed is missing',
    source: 'format requirement-1',
    facts: [fact('C', '0.18 %')],
    rules: [carbon, { of: 'P', max: '0.025', unit: '%' }],
    verdict: 'missing',
    lines: ['pass C 0.18 max 0.20 %', 'missing P'],
  },
  {
    says: 'what need not be printed may be missing',
    source: 'format requirement-1',
    facts: [fact('C', '0.18 %')],
    rules: [carbon, { of: 'Cu', max: '0.55', unit: '%', ifMissing: 'pass' }],
    verdict: 'pass',
    lines: ['pass C 0.18 max 0.20 %', 'pass Cu'],
  },
  {
    says: 'every heat must pass',
    source: heats,
    facts: [fact('C', '0.18 %', h1), fact('C', '0.22 %', h2)],
    rules: [carbon],
    verdict: 'fail',
    lines: ['pass C (H1) 0.18 max 0.20 %', 'fail C (H2) 0.22 max 0.20 %'],
  },
  {
    says: 'an analysis without the element is missing it',
    source: heats,
    facts: [fact('C', '0.18 %', h1), fact('P', '0.010 %', h1), fact('C', '0.19 %', h2)],
    rules: [{ of: 'P', max: '0.025', unit: '%' }],
    verdict: 'missing',
    lines: ['pass P (H1) 0.010 max 0.025 %', 'missing P (H2)'],
  },
  {
    says: 'a listed heat without any analysis is missing it',
    source: heats,
    facts: [fact('heat', 'H1'), fact('heat', 'H2'), fact('C', '0.18 %', h1)],
    rules: [carbon],
    verdict: 'missing',
    lines: ['pass C (H1) 0.18 max 0.20 %', 'missing C (H2)'],
  },
  {
    says: 'a sample of a heat belongs to it',
    source: heats,
    facts: [fact('heat', 'H1'), fact('C', '0.18 %', { heat: 'H1/2' })],
    rules: [carbon],
    verdict: 'pass',
    lines: ['pass C (H1/2) 0.18 max 0.20 %'],
  },
  {
    says: 'a heat with a longer name is another one',
    source: heats,
    facts: [fact('heat', 'H1'), fact('heat', 'H10'), fact('C', '0.18 %', { heat: 'H10' })],
    rules: [carbon],
    verdict: 'missing',
    lines: ['pass C (H10) 0.18 max 0.20 %', 'missing C (H1)'],
  },
  {
    says: 'a value of no heat is one of all',
    source: heats,
    facts: [fact('heat', 'H1'), fact('heat', 'H2'), fact('C', '0.18 %')],
    rules: [carbon],
    verdict: 'pass',
    lines: ['pass C 0.18 max 0.20 %'],
  },
  {
    says: 'ladle and product analysis must both pass',
    source: heats,
    facts: [fact('C', '0.20 %', { ...h1, place: 'ladle' }), fact('C', '0.22 %', { ...h1, place: 'product' })],
    rules: [carbon],
    verdict: 'fail',
    lines: ['pass C (H1) 0.20 max 0.20 %', 'fail C (H1) 0.22 max 0.20 %'],
  },
  {
    says: 'a carbon equivalent is calculated and rounded once',
    source: iiw,
    facts: full('H1'),
    rules: [{ of: 'CEV', calculated: true, max: '0.45' }],
    verdict: 'pass',
    lines: ['pass CEV (H1) 0.40 max 0.45'],
  },
  {
    says: 'a calculated value ignores what is printed',
    source: iiw,
    facts: [...full('H1', { Mn: '1.60' }), fact('CEV', '0.40', h1)],
    rules: [{ of: 'CEV', calculated: true, max: '0.45' }],
    verdict: 'fail',
    lines: ['fail CEV (H1) 0.46 max 0.45'],
  },
  {
    says: 'a printed value is taken if nothing is to be calculated',
    source: 'format requirement-1',
    facts: [...full('H1', { Mn: '1.60' }), fact('CEV', '0.40', h1)],
    rules: [{ of: 'CEV', max: '0.45' }],
    verdict: 'pass',
    lines: ['pass CEV (H1) 0.40 max 0.45'],
  },
  {
    says: 'each heat has its own carbon equivalent',
    source: iiw,
    facts: [...full('H1'), ...full('H2', { C: '0.24' })],
    rules: [{ of: 'CEV', calculated: true, max: '0.45' }],
    verdict: 'fail',
    lines: ['pass CEV (H1) 0.40 max 0.45', 'fail CEV (H2) 0.48 max 0.45'],
  },
  {
    says: 'an element that is not printed is not taken for none',
    source: 'design of receiving: unknown never passes',
    facts: full('H1').filter(({ of }) => of !== 'V'),
    rules: [{ of: 'CEV', calculated: true, max: '0.45' }],
    verdict: 'missing',
    lines: ['missing CEV (H1)'],
  },
  {
    says: 'an element that is not printed is 0 where the rule says so',
    source: 'format requirement-1',
    facts: full('H1').filter(({ of }) => of !== 'V'),
    rules: [{ of: 'CEV', calculated: true, max: '0.45', ifMissing: 'pass' }],
    verdict: 'pass',
    lines: ['pass CEV (H1) 0.39 max 0.45'],
  },
  {
    says: 'limits of detection widen what is calculated',
    source: detection,
    facts: [...full('H1').filter(({ of }) => of !== 'V'), fact('V', '<0.40 %', h1)],
    rules: [{ of: 'CEV', calculated: true, max: '0.45' }],
    verdict: 'unknown',
    lines: ['unknown CEV (H1) max 0.45'],
  },
  {
    says: 'limits of detection do not matter where the most passes',
    source: detection,
    facts: [...full('H1').filter(({ of }) => of !== 'V'), fact('V', '<0.01 %', h1)],
    rules: [{ of: 'CEV', calculated: true, max: '0.45' }],
    verdict: 'pass',
    lines: ['pass CEV (H1) 0.40 max 0.45'],
  },
  {
    says: 'CET and Pcm have formulas of their own',
    source: 'EN 1011-2 annex C; Ito and Bessyo',
    facts: [...full('H1'), fact('Si', '0.30 %', h1), fact('B', '5 ppm', h1)],
    rules: [
      { of: 'CET', calculated: true, max: '0.31' },
      { of: 'Pcm', calculated: true, max: '0.24' },
    ],
    verdict: 'fail',
    lines: ['pass CET (H1) 0.30 max 0.31', 'fail Pcm (H1) 0.25 max 0.24'],
  },
  {
    says: 'one of two elements that bind nitrogen is enough',
    source: 'EN 10025-2 table 2 footnote in form',
    facts: [fact('N', '0.012 %'), fact('Al', '0.025 %')],
    rules: [
      {
        anyOf: [
          { of: 'N', max: '0.009', unit: '%' },
          { of: 'Al', min: '0.020', unit: '%' },
        ],
      },
    ],
    verdict: 'pass',
    lines: ['pass N, Al'],
  },
  {
    says: 'each heat may meet another alternative',
    source: heats,
    facts: [
      fact('N', '0.008 %', h1),
      fact('Al', '0.001 %', h1),
      fact('N', '0.012 %', h2),
      fact('Al', '0.030 %', h2),
    ],
    rules: [
      {
        anyOf: [
          { of: 'N', max: '0.009', unit: '%' },
          { of: 'Al', min: '0.020', unit: '%' },
        ],
      },
    ],
    verdict: 'pass',
    lines: ['pass N, Al (H1)', 'pass N, Al (H2)'],
  },
  {
    says: 'a heat that meets none fails',
    source: heats,
    facts: [
      fact('N', '0.008 %', h1),
      fact('Al', '0.001 %', h1),
      fact('N', '0.012 %', h2),
      fact('Al', '0.010 %', h2),
    ],
    rules: [
      {
        anyOf: [
          { of: 'N', max: '0.009', unit: '%' },
          { of: 'Al', min: '0.020', unit: '%' },
        ],
      },
    ],
    verdict: 'fail',
    lines: ['pass N, Al (H1)', 'fail N, Al (H2)'],
  },
  {
    says: 'an alternative that is not printed may be met',
    source: 'three-valued logic',
    facts: [fact('N', '0.012 %')],
    rules: [
      {
        anyOf: [
          { of: 'N', max: '0.009', unit: '%' },
          { of: 'Al', min: '0.020', unit: '%' },
        ],
      },
    ],
    verdict: 'missing',
    lines: ['missing N, Al'],
  },
]

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { checkRules } from './check-requirement.ts'
import { readRequirement } from './read-requirement.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0

/** Compares with fractions of Python, and rounds with its own rules: nothing of ours is in it. */
const judge = `
import json, statistics, sys
from decimal import Decimal, ROUND_HALF_EVEN, ROUND_HALF_UP, getcontext
from fractions import Fraction as F
getcontext().prec = 200
def rounded(value, places, rule):
    if rule == 'exact': return value
    scaled = value * 10 ** places
    if rule == 'halfEven': return F(round(scaled), 10 ** places)
    floor = abs(scaled).numerator // abs(scaled).denominator
    up = floor + (1 if abs(scaled) - floor >= F(1, 2) else 0)
    return F(up if scaled >= 0 else -up, 10 ** places)
out = []
for values, limit, side, rule in json.load(sys.stdin):
    value = statistics.mean([F(v) for v in values])
    places = len(limit.split('.')[1]) if '.' in limit else 0
    shown = rounded(value, places, rule)
    if len(values) == 1 and rule != 'exact':
        name = ROUND_HALF_EVEN if rule == 'halfEven' else ROUND_HALF_UP
        assert F(Decimal(values[0]).quantize(Decimal(1).scaleb(-places), name)) == shown
    out.append('pass' if (shown <= F(limit) if side == 'max' else shown >= F(limit)) else 'fail')
json.dump(out, sys.stdout)
`

test('10,000 values and means are compared with their limits as by the fractions, decimals and means of Python', {
  skip: hasPython ? false : 'python3 is missing',
}, () => {
  let state = 20_261_129
  const random = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  const decimal = (digits: number, places: number): string =>
    places === 0 ? String(digits) : (digits / 10 ** places).toFixed(places)
  const roundings = ['halfEven', 'halfUp', 'exact'] as const
  const rows = Array.from({ length: 10_000 }, () => {
    const places = random(4)
    const limit = decimal(1 + random(50), places)
    // Near the limit, with up to three more places, and often exactly halfway.
    const near = () => {
      const more = random(4)
      const whole = Math.round(Number(limit) * 10 ** (places + more))
      const shift = random(3) === 0 ? 5 * 10 ** Math.max(0, more - 1) : random(2 * 10 ** more)
      return decimal(Math.max(0, whole + (random(2) === 0 ? shift : -shift)), places + more)
    }
    const values = Array.from({ length: random(2) === 0 ? 1 : 2 + random(4) }, near)
    const side = random(2) === 0 ? ('min' as const) : ('max' as const)
    return { values, limit, side, rounding: roundings[random(3)] ?? 'exact' }
  })
  const { stdout, stderr, status } = spawnSync('python3', ['-c', judge], {
    input: JSON.stringify(rows.map(({ values, limit, side, rounding }) => [values, limit, side, rounding])),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  assert.equal(status, 0, stderr)
  const expected = JSON.parse(stdout) as readonly string[]
  assert.ok(expected.filter((result) => result === 'fail').length > 1_000)
  for (const [index, { values, limit, side, rounding }] of rows.entries()) {
    const bounds = values.length === 1 ? { [side]: limit } : { mean: { [side]: limit } }
    const requirement = readRequirement({
      name: 'Judged',
      rounding,
      rules: [{ of: 'KV', unit: 'J', ...bounds }],
    })
    const facts = values.map((value, at) => ({ of: 'KV', value, unit: 'J', pointer: `/${at}`, limits: {} }))
    const [line] = checkRules(requirement, { facts, valuesAt: () => [] })
    assert.equal(line?.result, expected[index], JSON.stringify(rows[index]))
  }
})

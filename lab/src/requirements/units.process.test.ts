import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { convert } from '../../../families/src/requirements/units.ts'
import { mayInstall } from '../../../server/test/debian-package.ts'
import { keep, keptFolder } from '../../../server/test/kept-build.ts'

const run = promisify(execFile)
const requirements = join(import.meta.dirname, 'requirements.txt')

/** The folder with pint and what it needs, from PyPI. */
const installPint = async (): Promise<string> => {
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 16)
  const folder = keptFolder('pint', digest)
  await keep(folder, async (unfinished) => {
    const pinned = ['--no-deps', '--only-binary=:all:', '--requirement', requirements]
    await run('python3', ['-m', 'pip', 'install', '--quiet', '--target', unfinished, ...pinned])
  })
  return folder
}

/** Our spelling, and that of pint. */
const units: readonly (readonly [ours: string, theirs: string])[] = [
  ['MPa', 'megapascal'],
  ['GPa', 'gigapascal'],
  ['kPa', 'kilopascal'],
  ['N/mm²', 'newton / millimeter ** 2'],
  ['ksi', 'ksi'],
  ['psi', 'psi'],
  ['kgf/mm²', 'kilogram_force / millimeter ** 2'],
  ['J', 'joule'],
  ['Nm', 'newton * meter'],
  ['ft·lb', 'foot * pound_force'],
  ['kgf·m', 'kilogram_force * meter'],
  ['%', 'percent'],
  ['ppm', 'ppm'],
  ['mm', 'millimeter'],
  ['cm', 'centimeter'],
  ['m', 'meter'],
  ['µm', 'micrometer'],
  ['in', 'inch'],
  ['ft', 'foot'],
  ['kg', 'kilogram'],
  ['t', 'metric_ton'],
  ['g', 'gram'],
  ['lb', 'pound'],
]

const judge = `
import json, sys
from fractions import Fraction
import pint
registry = pint.UnitRegistry(non_int_type=Fraction)
def factor(one, other):
    try:
        return str(Fraction(registry.Quantity(Fraction(1), one).to(other).magnitude))
    except pint.DimensionalityError:
        return None
names = json.load(sys.stdin)
json.dump([[factor(one, other) for other in names] for one in names], sys.stdout)
`

const greatestDivisor = (one: bigint, other: bigint): bigint =>
  other === 0n ? one : greatestDivisor(other, one % other)

/** pint tells torque from energy only by name, and so do we. */
test('converts each pair of units by exactly the factor of pint, and no other pair', {
  skip: mayInstall ? false : 'pint is installed on CI only: run the test with CI=true, as root',
}, async () => {
  const folder = await installPint()
  const asked = run('python3', ['-c', judge], { env: { ...process.env, PYTHONPATH: folder } })
  asked.child.stdin?.end(JSON.stringify(units.map(([, theirs]) => theirs)))
  const factors = JSON.parse((await asked).stdout) as readonly (readonly (string | null)[])[]
  const shown = units.map(([from]) =>
    units.map(([to]) => {
      const factor = convert({ top: 1n, bottom: 1n }, { from, to })
      if (factor === undefined) return null
      const divisor = greatestDivisor(factor.top, factor.bottom)
      const [top, bottom] = [factor.top / divisor, factor.bottom / divisor]
      return bottom === 1n ? String(top) : `${top}/${bottom}`
    }),
  )
  assert.deepEqual(shown, factors)
})

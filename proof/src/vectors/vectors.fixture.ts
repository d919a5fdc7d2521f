import { aged } from './aged.fixture.ts'
import type { Vector } from './cases.fixture.ts'
import { confirmed } from './confirmed.fixture.ts'
import { corrected } from './corrected.fixture.ts'
import { forged } from './forged.fixture.ts'
import { format1 } from './format-1.fixture.ts'
import { format3 } from './format-3.fixture.ts'
import { valid } from './valid.fixture.ts'

const make = (cases: readonly (() => Promise<Vector>)[]): Promise<Vector[]> =>
  Promise.all(cases.map((one) => one()))

/** Each file of `proof/vectors/`. */
export const vectors = async (): Promise<Readonly<Record<string, readonly Vector[]>>> => ({
  valid: await make(valid),
  corrected: await make(corrected),
  forged: await make(forged),
  'format-1': await make(format1),
  'format-3': await make(format3),
  aged: await make(aged),
  confirmed: await make(confirmed),
})

import { after, type Opened, type Vector } from './cases.fixture.ts'
import { cosigned, type CosignerName, policy2Of, textIn, withLines } from './cosigners.fixture.ts'
import type { record } from './log.fixture.ts'

export type Signed = readonly [CosignerName, string]
export const first = '2026-11-22T05:51:00.000Z'
export const second = '2026-11-22T05:52:00.000Z'
export const third = '2026-11-22T05:53:00.000Z'
/** The time of a cosignature is in whole seconds. */
const past = (time: string): string => time.replace('00.000Z', '01.000Z')
export const bothNodes: readonly Signed[] = [
  ['inspector', first],
  ['association', second],
]

export const by = (confirmedBy: Vector['confirmedBy'] & string, before?: string): Partial<Vector> =>
  before === undefined ? { confirmedBy } : { confirmedBy, before: past(before) }
export const nobody = by('operator')

/** Signed by these, and judged by a policy of version 2. */
export const signed =
  (
    lines: readonly Signed[],
    expected: Partial<Vector>,
    policy: Parameters<typeof policy2Of>[1] = {},
    ...actions: readonly ((opened: Opened) => ReturnType<typeof record>)[]
  ) =>
  async (opened: Opened) => {
    const { bundle } = await after(opened, ...actions.map((action) => action(opened)))
    return { bundle: await cosigned(bundle, ...lines), policy: policy2Of(opened, policy), ...expected }
  }

/** With these lines in place of those of cosigners. */
export const written =
  (
    linesFor: (text: string, opened: Opened) => Promise<readonly string[]> | readonly string[],
    expected: Partial<Vector>,
  ) =>
  async (opened: Opened) => {
    const { bundle } = await after(opened)
    const lines = await linesFor(textIn(bundle), opened)
    return { bundle: withLines(bundle, lines), policy: policy2Of(opened), ...expected }
  }

import { type Load, load } from '../load.ts'
import type { Row, SignedInServer, Workshop } from '../row.ts'
import { inTurn, medianOf, ratioRow } from '../statistics.ts'

export type LimitedPair = {
  readonly path: string
  readonly expectedStatus: number
  readonly signedIn: boolean
}

type Rounds = readonly { readonly limited: Load; readonly unlimited: Load }[]

/** The same call to a server that counts calls and to one that does not. */
export const compareLimits = async (workshop: Workshop, pair: LimitedPair): Promise<Rounds> => {
  const call = ({ url, pid, token }: SignedInServer) =>
    load({ pid }, pair.expectedStatus, {
      url: `${url}${pair.path}`,
      headers: pair.signedIn ? { authorization: `Bearer ${token}` } : {},
    })
  const limited = await workshop.server('limited')
  const unlimited = await workshop.server('unlimited')
  return inTurn({ unlimited: () => call(unlimited), limited: () => call(limited) })
}

export const limitRows = (what: string, rounds: Rounds, goalP99Ms?: number): Row[] => {
  const goal = goalP99Ms === undefined ? {} : { goal: { atMost: goalP99Ms } }
  const rowsOf = (how: 'limited' | 'unlimited', name: string): Row[] => [
    {
      what: `${what}, ${name}`,
      value: medianOf(rounds, (round) => round[how].perSecond),
      unit: '/s',
    },
    { what: '… p50', value: medianOf(rounds, (round) => round[how].p50Ms), unit: 'ms' },
    { what: '… p99', value: medianOf(rounds, (round) => round[how].p99Ms), unit: 'ms', ...goal },
    {
      what: '… processor time of the server per answer',
      value: medianOf(rounds, (round) => round[how].cpuMicroseconds),
      unit: 'µs',
    },
  ]
  return [
    ...rowsOf('unlimited', 'limit off'),
    ...rowsOf('limited', 'limit on'),
    ratioRow(
      'throughput, on : off',
      rounds,
      ({ limited, unlimited }) => limited.perSecond / unlimited.perSecond,
    ),
  ]
}

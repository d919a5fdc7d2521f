import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { load } from '../load.ts'
import type { Measurement } from '../row.ts'
import { inTurn, medianOf } from '../statistics.ts'

/**
 * What checking the signature of an access token costs. Both calls are refused at the gate (401) and touch no database:
 * one for want of a token, one because its signature does not fit. Only the signature is altered: content that is not
 * as ours is refused before any arithmetic.
 */
export const token: Measurement = {
  name: 'token',
  async measure({ server }) {
    const unlimited = await server('unlimited')
    const url = `${unlimited.url}/api/users/me`
    const authorization = `Bearer ${withOtherSignature(unlimited.token)}`
    const rounds = await inTurn({
      bare: async () => bareCheckMicroseconds(),
      without: () => load(unlimited, 401, { url }),
      checked: () => load(unlimited, 401, { url, headers: { authorization } }),
    })
    const bare = medianOf(rounds, (round) => round.bare)
    const microseconds = medianOf(
      rounds,
      ({ checked, without }) => checked.cpuMicroseconds - without.cpuMicroseconds,
    )
    // The arithmetic alone costs more than this: a faster answer was given without it.
    if (microseconds < bare / 2) {
      throw new Error(
        `A check of ${microseconds.toFixed(0)} µs against ${bare.toFixed(0)} µs: no signature was checked`,
      )
    }
    return [
      {
        what: 'refused without a token',
        value: medianOf(rounds, (round) => round.without.perSecond),
        unit: '/s',
      },
      {
        what: 'refused after checking its signature',
        value: medianOf(rounds, (round) => round.checked.perSecond),
        unit: '/s',
      },
      { what: 'processor time of one check', value: microseconds, unit: 'µs' },
      { what: 'checks per core', value: 1_000_000 / microseconds, unit: '/s', note: 'the inverse' },
      { what: 'processor time, ours : bare Ed25519', value: microseconds / bare, unit: '×' },
    ]
  },
}

const withOtherSignature = (jwt: string): string => {
  const [header = '', content = '', signature = ''] = jwt.split('.')
  return [header, content, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`].join('.')
}

const bareCheckMicroseconds = (): number => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const content = Buffer.alloc(400, 1)
  const signature = sign(null, content, privateKey)
  const times = 3_000
  const before = process.cpuUsage()
  for (let time = 0; time < times; time += 1) verify(null, content, publicKey, signature)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / times
}

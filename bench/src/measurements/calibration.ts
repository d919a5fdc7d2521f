import { generateKeyPairSync, sign, verify } from 'node:crypto'
import type { Bench } from '../row.ts'

/** The unit of the column "verifies". */
export const measure = async ({ report }: Bench): Promise<void> => {
  const cpuMicroseconds = verifyMicroseconds(1_000)
  const perSecond = 1_000_000 / cpuMicroseconds
  report.rate('Ed25519 verifications with node:crypto, one core', { perSecond, cpuMicroseconds })
}

/** Processor time of one verification. Rates of busy or different machines are compared by dividing through it. */
export const verifyMicroseconds = (ms: number): number => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const content = Buffer.alloc(400, 1)
  const signature = sign(null, content, privateKey)
  const verifyFor = (duration: number): number => {
    let times = 0
    const before = process.cpuUsage()
    for (const until = performance.now() + duration; performance.now() < until; times += 1)
      verify(null, content, publicKey, signature)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / times
  }
  verifyFor(50)
  return verifyFor(ms)
}

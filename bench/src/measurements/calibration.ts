import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { type Bench, type Cost, costOf } from '../measuring.ts'

/** The unit of the column "verifies". */
export const measure = async ({ report }: Bench): Promise<void> => {
  const cost = await costOfVerifying(10_000)
  const perSecond = 1_000_000 / cost.cpuMicroseconds
  report.rate('Ed25519 verifications with node:crypto, one core', { ...cost, perSecond })
}

/** Rates of busy or different machines are compared by dividing through it. */
export const costOfVerifying = async (times: number): Promise<Cost> => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const content = Buffer.alloc(400, 1)
  const signature = sign(null, content, privateKey)
  const verifyOnce = () => verify(null, content, publicKey, signature)
  await costOf(500, verifyOnce)
  return costOf(times, verifyOnce)
}

import { type JsonValue, PolicyUnreadable, readPolicy, type TrustPolicy } from '@millseal/proof/verifier'
import { nodePrimitives } from '@millseal/proof/node'

export const readTrust = (policy: JsonValue): TrustPolicy => {
  try {
    return readPolicy(policy, nodePrimitives)
  } catch (error) {
    if (error instanceof PolicyUnreadable) throw new Error(`The policy: ${error.message}`, { cause: error })
    throw error
  }
}

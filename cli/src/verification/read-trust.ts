import {
  type JsonValue,
  PolicyUnreadable,
  portablePrimitives,
  readPolicy,
  type TrustPolicy,
} from '@millseal/proof'

export const readTrust = (policy: JsonValue): TrustPolicy => {
  try {
    return readPolicy(policy, portablePrimitives)
  } catch (error) {
    if (error instanceof PolicyUnreadable) throw new Error(`The policy: ${error.message}`, { cause: error })
    throw error
  }
}

import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import type { AuthDependencies } from '../dependencies.ts'
import { encryptedRecords } from './encrypted-records.ts'

/**
 * Stores the records of oidc-provider. Two concurrent uses of one code would both succeed in the library alone, so the
 * second throws `alreadyConsumed`.
 */
export const adapterFactory =
  (deps: AuthDependencies, alreadyConsumed: () => Error): AdapterFactory =>
  (kind): Adapter => {
    const records = encryptedRecords(deps, kind)
    const found = async (payload: Promise<object | undefined>) =>
      (await payload) as AdapterPayload | undefined
    return {
      upsert: (id, payload, expiresIn = 0) => records.save(id, { ...payload }, expiresIn),
      find: (id) => found(records.find(id)),
      findByUid: (uid) => found(records.findByUid(uid)),
      findByUserCode: async () => undefined,
      async consume(id) {
        if (!(await records.consume(id))) throw alreadyConsumed()
      },
      async destroy(id) {
        await records.delete(id)
      },
      revokeByGrantId: (grantId) => records.deleteByGrant(grantId),
    }
  }

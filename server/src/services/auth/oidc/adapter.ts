import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import { type RecordDependencies, sealedRecords } from './sealed-records.ts'

/** A code that comes twice at the same moment is redeemed once; the library alone would let both through. */
type Twice = () => Error

/** How oidc-provider keeps its records with us. */
export const adapterFactory =
  (deps: RecordDependencies, twice: Twice): AdapterFactory =>
  (kind): Adapter => {
    const records = sealedRecords(deps, kind)
    const found = async (payload: Promise<object | undefined>) =>
      (await payload) as AdapterPayload | undefined
    return {
      upsert: (id, payload, expiresIn = 0) => records.save(id, { ...payload }, expiresIn),
      find: (id) => found(records.find(id)),
      findByUid: (uid) => found(records.findByUid(uid)),
      findByUserCode: async () => undefined,
      async consume(id) {
        if (!(await records.consume(id))) throw twice()
      },
      async destroy(id) {
        await records.remove(id)
      },
      revokeByGrantId: (grantId) => records.removeByGrant(grantId),
    }
  }

import { type CompanyLook, limits, type operations } from '@millseal/contract'
import { atPlace, because } from '@millseal/contract/reasons'
import { readPicture } from '@millseal/families'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { assertUsable, rowToResponse } from './look-settings.ts'
import { countLooks, deleteStoredLook, findStoredLook, type LookKey, saveLook } from './looks.store.ts'
import { receiverKey } from './receiver-key.ts'

type Change =
  | Call<typeof operations.updateLook>
  | Call<typeof operations.updateLogo>
  | Call<typeof operations.deleteLook>
  | Call<typeof operations.deleteLogo>

export const updateLook = (
  deps: CertificateDependencies,
  call: Call<typeof operations.updateLook>,
): Promise<CompanyLook> => {
  assertUsable(call.body)
  const key = keyOf(call)
  return call.commit(async (tx) => {
    await makeSpace(deps, tx, key)
    const settings = JSON.stringify(call.body)
    await record(deps, tx, { call, key, action: 'looks.update', details: call.body })
    return rowToResponse(await saveLook(tx, { key, changes: { settings }, now: new Date(deps.clock.now()) }))
  })
}

export const updateLogo = (
  deps: CertificateDependencies,
  call: Call<typeof operations.updateLogo>,
): Promise<CompanyLook> => {
  const logo = Buffer.from(call.body.bytes)
  const picture = readPicture(logo.toString('base64'))
  if ('flaw' in picture)
    throw new Problem('picture_unreadable', { reasons: [atPlace('/file', picture.flaw)] })
  const key = keyOf(call)
  return call.commit(async (tx) => {
    await makeSpace(deps, tx, key)
    const details = { type: picture.type, bytes: logo.length }
    await record(deps, tx, { call, key, action: 'looks.update_logo', details })
    const changes = { logo, logoType: picture.type }
    return rowToResponse(await saveLook(tx, { key, changes, now: new Date(deps.clock.now()) }))
  })
}

export const deleteLook = (
  deps: CertificateDependencies,
  call: Call<typeof operations.deleteLook>,
): Promise<CompanyLook> => {
  const key = keyOf(call)
  return call.commit(async (tx) => {
    const deleted = await deleteStoredLook(tx, key)
    if (deleted === undefined) throw new Problem('not_found')
    await record(deps, tx, { call, key, action: 'looks.delete', details: {} })
    return rowToResponse(deleted)
  })
}

export const deleteLogo = (
  deps: CertificateDependencies,
  call: Call<typeof operations.deleteLogo>,
): Promise<CompanyLook> => {
  const key = keyOf(call)
  return call.commit(async (tx) => {
    if (!(await findStoredLook(tx, key))?.logo) throw new Problem('not_found')
    await record(deps, tx, { call, key, action: 'looks.delete_logo', details: {} })
    const changes = { logo: null, logoType: null }
    return rowToResponse(await saveLook(tx, { key, changes, now: new Date(deps.clock.now()) }))
  })
}

const keyOf = ({ companyId, query }: Change): LookKey => ({
  companyId,
  receiver: receiverKey(query.receiver),
})

/** The lock keeps concurrent calls from exceeding the limit. */
const makeSpace = async (
  { users }: CertificateDependencies,
  tx: Transaction,
  key: LookKey,
): Promise<void> => {
  await users.lockCompany(tx, key.companyId)
  if ((await findStoredLook(tx, key)) !== undefined) return
  if ((await countLooks(tx, key.companyId)) >= limits.looksPerCompany) {
    throw new Problem('look_limit_reached', {
      reasons: [because('look_limit', { most: limits.looksPerCompany })],
    })
  }
}

type Recorded = {
  readonly call: Change
  readonly key: LookKey
  readonly action: string
  readonly details: object
}

const record = (
  { audit }: CertificateDependencies,
  tx: Transaction,
  { call, key, action, details }: Recorded,
): Promise<void> =>
  audit.write(tx, {
    actor: principalName(call.principal),
    action,
    subject: `company:${key.companyId}`,
    companyId: key.companyId,
    ipAddress: call.client.ip,
    details: { receiver: key.receiver || undefined, ...details },
  })

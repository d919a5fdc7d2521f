import type { CompanyReference, Mode } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { UserService } from '../../user/index.ts'
import { lockApplication, type StoredApplication } from './applications.store.ts'

type CallOnOne = {
  readonly params: { readonly id: string }
  readonly companyId: string
  readonly assertRecordMode: (mode: Mode) => void
}

type Held = { readonly application: StoredApplication; readonly owner: CompanyReference }

/** The application a call is about, held until the transaction ends; throws where its mode is out of the caller's reach. */
export const holdApplication = async (
  tx: Transaction,
  { params, companyId, assertRecordMode }: CallOnOne,
  users: Pick<UserService, 'findCompany'>,
): Promise<Held> => {
  const owner = await users.findCompany(tx, companyId)
  const application = await lockApplication(tx, { id: params.id, companyId })
  if (application === undefined || owner === undefined) throw new Problem('not_found')
  assertRecordMode(application.mode)
  return { application, owner }
}

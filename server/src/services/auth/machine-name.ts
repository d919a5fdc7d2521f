import type { MachinePrincipal } from '../../http/principal.ts'
import type { Query } from '../../ports/database/database.ts'
import { findAccessToken } from './access-tokens/access-tokens.store.ts'
import { findApplication } from './applications/applications.store.ts'

export type MachineKey = Pick<MachinePrincipal, 'kind' | 'id' | 'companyId'>

/** The name that people gave an application or a long-lived token; undefined once it is deleted. */
export const findMachineName = async (
  query: Query,
  { kind, id, companyId }: MachineKey,
): Promise<string | undefined> =>
  kind === 'application'
    ? (await findApplication(query, { id, companyId }))?.name
    : (await findAccessToken(query, { id, companyId }))?.description

import { principalName } from '../../http/principal.ts'
import type { Principal } from '../../http/principal.ts'
import type { Audit } from '../../ports/audit/audit.ts'
import type { Transaction } from '../../ports/database/database.ts'

type By = { readonly principal: Principal; readonly client: { readonly ip: string } }

export type OperatorChange = {
  /** As operations are called: `nodes.update` */
  readonly action: string
  readonly subject: string
  readonly details: object
}

/** Where transactions go is the operators' business, and who changed it is kept. */
export const recordOperatorChange = (
  audit: Audit,
  tx: Transaction,
  { by, change }: { readonly by: By; readonly change: OperatorChange },
): Promise<void> =>
  audit.write(tx, { ...change, actor: principalName(by.principal), ipAddress: by.client.ip })

import type { Company } from '@millseal/contract'
import { type Actor, principalName } from '../../../http/principal.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { UserDependencies } from '../dependencies.ts'

export type CompanyChange = {
  readonly company: Company
  readonly action: 'update_one' | 'delete_one'
  readonly auditAction: string
  readonly details: object
  readonly principal: Actor
  readonly ip: string
}

/** Writes the audit entry of a change, and its events for the company and each of its members. */
export const recordCompanyChange = async (
  { outbox, audit }: UserDependencies,
  tx: Transaction,
  { company, action, auditAction, details, principal, ip }: CompanyChange,
): Promise<void> => {
  await audit.write(tx, {
    actor: principalName(principal),
    action: auditAction,
    subject: `company:${company.id}`,
    companyId: company.id,
    ipAddress: ip,
    details,
  })
  const owners = [
    { kind: 'company', id: company.id },
    ...[company.owner, ...company.members].map(({ id }) => ({ kind: 'user', id }) as const),
  ] as const
  const mode = principal.mode ?? 'live'
  for (const owner of owners) {
    await outbox.write(tx, { resource: 'companies', action, owner, mode, payload: company })
  }
}

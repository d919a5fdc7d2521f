import type { Company } from '@millseal/contract'
import { type Principal, principalName } from '../../../http/principal.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { UserDependencies } from '../dependencies.ts'

export type CompanyNews = {
  readonly company: Company
  readonly action: 'update_one' | 'delete_one'
  /** What the audit log calls it. */
  readonly audited: string
  readonly details: object
  readonly principal: Principal
  readonly ip: string
}

export type TellOfCompany = (tx: Transaction, news: CompanyNews) => Promise<void>

/** Every change of a company is audited, and told to it and to everybody in it, in the transaction of the change. */
export const tellOfCompany =
  ({ outbox, audit }: Pick<UserDependencies, 'outbox' | 'audit'>): TellOfCompany =>
  async (tx, { company, action, audited, details, principal, ip }) => {
    await audit.write(tx, {
      actor: principalName(principal),
      action: audited,
      subject: `company:${company.id}`,
      companyId: company.id,
      ipAddress: ip,
      details,
    })
    const owners = [
      { kind: 'company', id: company.id },
      ...[company.owner, ...company.members].map(({ id }) => ({ kind: 'user', id }) as const),
    ] as const
    const mode = principal.kind === 'user' ? 'live' : principal.mode
    for (const owner of owners) {
      await outbox.write(tx, { resource: 'companies', action, owner, mode, payload: company })
    }
  }

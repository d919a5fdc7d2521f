import type { operations, RequirementRules } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { requirementsChanged } from '../certificates/inbox-jobs.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { saveRules } from './rules.store.ts'

/** Certificates that nobody chose a requirement for are answered again. */
export const changeRules = (
  deps: CertificateDependencies,
  call: Call<typeof operations.keepRequirementRules>,
): Promise<RequirementRules> => {
  const { companyId, principal, client } = call
  const { rules } = call.body
  return call.commit(async (tx) => {
    const changedAt = new Date(deps.clock.now())
    await saveRules(tx, { companyId, rules: JSON.stringify(rules), changedAt })
    await deps.jobs.enqueue(tx, requirementsChanged, { companyId }, { singletonKey: companyId })
    await deps.audit.write(tx, {
      actor: principalName(principal),
      action: 'requirements.update_rules',
      subject: `company:${companyId}`,
      companyId,
      ipAddress: client.ip,
      details: { rules: rules.length },
    })
    return { rules }
  })
}

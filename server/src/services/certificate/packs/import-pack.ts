import type { operations, PackImport } from '@millseal/contract'
import { inEnglish } from '@millseal/contract/reasons'
import { PackRejected } from '@millseal/families'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'

/** Storing is idempotent: if the audit entry is not committed, the same import can be repeated. */
export const importPack = async (
  { packs, clock, audit }: CertificateDependencies,
  call: Call<typeof operations.importPack>,
): Promise<PackImport> => {
  const checked = await packs
    .check({ offer: { archive: call.body.bytes } })
    .catch((error: unknown) => Promise.reject(asProblem(error)))
  const refused = checked.refused.map(({ file, reasons }) => ({
    file,
    reasons: reasons.map(inEnglish),
    because: reasons.map((reason) => ({ ...reason })),
  }))
  return call.commit(async (tx) => {
    await audit.write(tx, {
      actor: principalName(call.principal),
      ipAddress: call.client.ip,
      action: 'packs.import',
      subject: `pack:${checked.name}`,
      details: { schemas: checked.schemas.map(({ id }) => id), refused: refused.map(({ file }) => file) },
    })
    const { name, schemas, importedAt } = await packs.store(tx, checked, new Date(clock.now()))
    return { name, importedAt, schemas: schemas.map((one) => ({ ...one, urls: [...one.urls] })), refused }
  })
}

const asProblem = (error: unknown): unknown =>
  error instanceof PackRejected
    ? new Problem('pack_rejected', {
        reasons: error.reasons,
        cause: error,
      })
    : error

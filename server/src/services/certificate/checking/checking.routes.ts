import { operations, type ValidationReport } from '@millseal/contract'
import { inEnglish } from '@millseal/contract/reasons'
import { type Finding, partiesOf, plausibility, selfCheck } from '@millseal/families'
import { type Binding, bindTo, type Call } from '../../../http/binding.ts'
import { warningOfOtherSeller } from '../sellers/other-seller.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { addressesIn } from '../certificates/addresses-in.ts'
import { checkCertificate, checkedBy } from './check-certificate.ts'
import { listFamilies } from './list-families.ts'
import { readCertificateForm } from './read-form.ts'
import { shownFinding } from './shown-finding.ts'

export const checkingRoutes = (deps: CertificateDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.listCertificateSchemas, listSchemas),
    bind(operations.listCertificateFamilies, listFamilies),
    bind(operations.readCertificateForm, readCertificateForm),
    bind(operations.validateCertificate, validateCertificate),
    bind(operations.validateCertificateFile, validateCertificate),
  ]
}

const listSchemas = async ({ schemas }: CertificateDependencies): Promise<Record<string, string[]>> => {
  const versions = Object.entries(await schemas.list())
  const names = [...(await schemas.names())]
  return { ...Object.fromEntries(versions.map(([type, list]) => [type, [...list]])), names }
}

const toWarning = ({ reason, ...finding }: Finding): ValidationReport['warnings'][number] => ({
  ...finding,
  reason: inEnglish(reason),
  because: { ...reason },
})

const validateCertificate = async (
  deps: CertificateDependencies,
  call: Call<typeof operations.validateCertificate | typeof operations.validateCertificateFile>,
): Promise<ValidationReport | Record<string, unknown>> => {
  const { certificate, schema } = await checkCertificate(deps, call.body.bytes)
  const by = checkedBy(schema)
  call.header('checked-by', by.schema)
  if (call.query.report !== true) return { ...certificate.json }
  const other = await warningOfOtherSeller(deps, { certificate, companyId: call.companyId })
  const found = selfCheck(certificate)
  return {
    isValid: true,
    warnings: [...plausibility(certificate), ...found, ...other].map(toWarning),
    findings: found.map(shownFinding),
    addresses: addressesIn(partiesOf(certificate).receivers),
    checkedBy: by,
    certificate: { ...certificate.json },
  }
}

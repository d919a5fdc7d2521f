import { operations, type ValidationReport } from '@millseal/contract'
import { plausibility } from '@millseal/families'
import { type Binding, bind } from '../../../http/binding.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { checkCertificate } from './check-certificate.ts'

type Wanted = { readonly body: { readonly bytes: Uint8Array }; readonly query: { readonly report?: boolean } }

export const checkingRoutes = ({ schemas }: CertificateDependencies): readonly Binding[] => {
  const check = async ({ body, query }: Wanted): Promise<ValidationReport | Record<string, unknown>> => {
    const { certificate } = await checkCertificate(schemas, body.bytes)
    if (query.report !== true) return { ...certificate.json }
    const warnings = plausibility(certificate)
    return { isValid: true, warnings: [...warnings], certificate: { ...certificate.json } }
  }
  return [
    bind(operations.listCertificateSchemas, async () => {
      const versions = Object.entries(await schemas.list())
      return Object.fromEntries(versions.map(([type, list]) => [type, [...list]]))
    }),
    bind(operations.validateCertificate, check),
    bind(operations.validateCertificateFile, check),
  ]
}

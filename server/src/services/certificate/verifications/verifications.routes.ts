import { operations } from '@millseal/contract'
import { type Binding, bindTo } from '../../../http/binding.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { readCode } from './read-code.ts'
import { readProof } from './read-proof.ts'
import { verify } from './verify.ts'

export const verificationRoutes = (deps: CertificateDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.verifyCertificate, verify),
    bind(operations.verifyCertificateFile, verify),
    bind(operations.readProof, readProof),
    bind(operations.readCertificateCode, readCode),
  ]
}

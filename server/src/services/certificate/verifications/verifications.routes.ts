import { operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { readProof } from './read-proof.ts'
import { verify } from './verify.ts'

export const verificationRoutes = (deps: CertificateDependencies): readonly Binding[] => [
  bind(operations.verifyCertificate, verify(deps)),
  bind(operations.verifyCertificateFile, verify(deps)),
  bind(operations.readProof, readProof(deps)),
]

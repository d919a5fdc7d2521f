import { operation } from '../operation.ts'
import { Certificate } from '../shapes/certificates.ts'
import { byId } from '../shapes/common.ts'
import { ReplaceCertificate, WithdrawCertificate } from '../shapes/corrections.ts'

const correction = {
  service: 'certificate-service',
  access: 'bearer',
  company: 'required',
  variant: 'current',
  method: 'POST',
  memberRole: 'clerk',
  orOperator: true,
  mode: 'record',
  params: byId,
  answer: { kind: 'json', status: 200, schema: Certificate },
  errors: [
    'certificate_pending',
    'certificate_failed',
    'identity_not_usable',
    'transaction_invalid',
    'role_missing',
    'mfa_required',
  ],
} as const

const signedBy =
  'Signed with the identity that signed the certificate. Operators of the service call it without a company; then the operator key of the log signs. Receivers get an e-mail and an event.'

export const withdrawCertificate = operation({
  ...correction,
  id: 'certificates.withdraw',
  path: '/certificates/{id}/withdraw',
  summary: 'Withdraw a certificate, permanently',
  description: `Records on the ledger that the certificate is not valid any more. ${signedBy} Calling it again changes nothing.`,
  scope: [{ resource: 'certificates', action: 'withdraw_one' }],
  body: { kind: 'json', schema: WithdrawCertificate },
})

export const replaceCertificate = operation({
  ...correction,
  id: 'certificates.replace',
  path: '/certificates/{id}/replace',
  summary: 'Replace a certificate by another one',
  description: `Records on the ledger which certificate replaces this one. ${signedBy} If it is replaced several times, the newest replacement counts.`,
  scope: [{ resource: 'certificates', action: 'replace_one' }],
  body: { kind: 'json', schema: ReplaceCertificate },
})

import type { operations, Totp } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { qrSvg } from '../../../lib/qr-svg.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { UserDependencies } from '../dependencies.ts'
import { encryptTotpSecret } from './authenticators.ts'
import { insertFactor } from './factors.store.ts'
import { enrolmentOf, newTotpSecret } from './totp.ts'

/** Has no effect until it is confirmed with a code made from the secret. */
export const createTotp = async (
  { clock, keystore, audit }: UserDependencies,
  { body, principal, client, commit }: Call<typeof operations.createTotp>,
): Promise<Totp> => {
  assertRecentSignIn(principal, clock)
  const now = clock.now()
  const id = uuidv7(now)
  const secret = newTotpSecret()
  const encryptedSecret = encryptTotpSecret(keystore, { id, secret })
  const enrolment = enrolmentOf(secret, principal.email)
  return commit(async (tx) => {
    const createdAt = new Date(now)
    await insertFactor(tx, { id, userId: principal.id, name: body.name, encryptedSecret, createdAt })
    await audit.write(tx, {
      actor: principalName(principal),
      action: 'mfa.create_totp',
      subject: `authenticator:${id}`,
      ipAddress: client.ip,
    })
    return { id, ...enrolment, qrSvg: qrSvg(enrolment.otpauthUri) }
  })
}

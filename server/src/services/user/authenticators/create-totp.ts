import type { operations, Totp } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { qrSvg } from '../../../lib/qr-svg.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import { sealTotpSecret } from './authenticators.ts'
import { insertFactor } from './factors.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { enrolmentOf, newTotpSecret } from './totp.ts'

/** Changes nothing until it is confirmed, which takes a code that only the secret can give. */
export const createTotp =
  ({ clock, keystore, audit }: Pick<UserDependencies, 'clock' | 'keystore' | 'audit'>) =>
  async ({
    body,
    principal,
    client,
    commit,
  }: Pick<Call<typeof operations.createTotp>, 'body' | 'principal' | 'client' | 'commit'>): Promise<Totp> => {
    assertRecentSignIn(principal, clock)
    const now = clock.now()
    const id = uuidv7(now)
    const secret = newTotpSecret()
    const sealedSecret = sealTotpSecret(keystore, { id, secret })
    const shown = enrolmentOf(secret, principal.email)
    return commit(async (tx) => {
      await insertFactor(tx, { id, userId: principal.id, name: body.name, sealedSecret }, new Date(now))
      await audit.write(tx, {
        actor: principalName(principal),
        action: 'mfa.create_totp',
        subject: `authenticator:${id}`,
        ipAddress: client.ip,
      })
      return { id, ...shown, qrSvg: qrSvg(shown.otpauthUri) }
    })
  }

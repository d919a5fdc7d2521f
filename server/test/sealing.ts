import { readSealCertificates } from '@millseal/proof'
import { certify, extensions } from '@millseal/proof/node/stamp-authority'
import { createSeals } from '../src/adapters/seals/pades.ts'
import { keyInFile } from '../src/adapters/seals/seal-key.ts'
import { createStampSoon } from '../src/adapters/seals/stamp-soon.ts'
import type { NamedAuthority } from '../src/config/stamp-authorities.ts'
import { createRfc3161Http } from '../src/adapters/stamp-authority/rfc3161-http.ts'
import type { Clock } from '../src/ports/clock/clock.ts'
import type { Seals } from '../src/ports/seals/seals.ts'
import { generousMs } from './eventually.ts'

const issuer = certify({ subject: 'Issuer of seals', more: [extensions.authority, extensions.usage(0x06)] })

/** Seals of this company in test mode with a new key, until the certificate expires. */
export const makeSeals = ({
  companyId,
  clock,
  authorities = [],
  to = '2045-01-01T00:00:00Z',
  waitMs = generousMs,
  onLack = () => {},
}: {
  readonly companyId: string
  readonly clock: Clock
  readonly authorities?: readonly NamedAuthority[]
  readonly to?: string
  readonly waitMs?: number
  readonly onLack?: (why: string) => void
}): Seals => {
  const mill = certify({ subject: 'Stahl und Eisen GmbH', by: issuer, to, more: [extensions.usage(0xc0)] })
  const certificates = readSealCertificates([mill.bytes, issuer.bytes])
  const asked = authorities.map((one) => createRfc3161Http({ ...one, timeoutMs: waitMs }))
  return createSeals([{ companyId, mode: 'test', certificates, key: keyInFile(mill.key.privateKey) }], {
    clock,
    stampSoon: createStampSoon(asked, { clock, onLack }),
    stampBytes: asked.length === 0 ? 0 : 4_096,
    onSealed: () => {},
  })
}

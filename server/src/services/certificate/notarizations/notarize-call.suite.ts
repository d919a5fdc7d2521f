import type { Owner } from '../../../../test/machines.ts'
import type { notarize } from './notarize.ts'

type NotarizeCall = Parameters<typeof notarize>[1]

type Asked = {
  readonly mill: Owner
  readonly identity: string
  readonly certificate: object
  /** With an Idempotency-Key: how the transaction is run. */
  readonly commit?: NotarizeCall['commit']
}

/** A request in test mode, as far as notarizing reads one. */
export const notarizeCall = ({ mill, identity, certificate, commit }: Asked): NotarizeCall => {
  const call = {
    companyId: mill.company.id,
    principal: { kind: 'user', id: mill.admin.id },
    mode: 'test',
    signal: () => new AbortController().signal,
    client: { ip: '127.0.0.1' },
    query: { identity },
    body: { bytes: Buffer.from(JSON.stringify(certificate)) },
    hasKey: commit !== undefined,
    commit,
  }
  return call as unknown as NotarizeCall
}

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeTemporaryFolder } from './temporary-folder.ts'

const run = promisify(execFile)

const configuration = `
[ req ]
distinguished_name = dn
prompt = no
[ dn ]
CN = name
[ root ]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[ seal ]
basicConstraints = CA:FALSE
keyUsage = critical, digitalSignature, nonRepudiation
authorityKeyIdentifier = keyid
[ ca ]
default_ca = lists
[ lists ]
database = index
default_md = sha256
default_crl_days = 30
`

const algorithms = {
  RSA: ['-newkey', 'rsa:2048'],
  ECDSA: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
} as const

export type SealFiles = AsyncDisposable & {
  readonly folder: string
  /** Of the key and its certificates for `MILLSEAL_SEALS`. */
  readonly key: string
  readonly chain: string
  /** In PEM, and what it has revoked, in DER: nothing. */
  readonly root: string
  readonly revoked: string
}

/** A certification authority that is not ours: OpenSSL issues a certificate for the seals of a mill. */
export const makeSealFiles = async (kind: keyof typeof algorithms): Promise<SealFiles> => {
  await using opening = new AsyncDisposableStack()
  const { path: cwd } = opening.use(await makeTemporaryFolder())
  const openssl = (...given: readonly string[]) => run('openssl', given, { cwd })
  await writeFile(join(cwd, 'config'), configuration)
  await writeFile(join(cwd, 'index'), '')
  const config = ['-config', 'config']
  const made = (name: string, subject: string) => [
    ...algorithms[kind],
    '-nodes',
    '-keyout',
    `${name}.key`,
    '-subj',
    subject,
    ...config,
  ]
  const days = ['-days', '365']
  const root = made('root', '/O=Test Trust/CN=Root of seals')
  await openssl('req', '-x509', ...root, ...days, '-extensions', 'root', '-out', 'root.pem')
  await openssl('req', ...made('mill', '/C=DE/O=Stahl und Eisen GmbH/CN=Quality'), '-out', 'mill.csr')
  const authority = ['-CA', 'root.pem', '-CAkey', 'root.key', '-CAcreateserial']
  const extensions = ['-extfile', 'config', '-extensions', 'seal']
  await openssl('x509', '-req', '-in', 'mill.csr', ...authority, ...days, ...extensions, '-out', 'mill.pem')
  const list = ['-gencrl', '-keyfile', 'root.key', '-cert', 'root.pem', '-out', 'revoked.pem']
  await openssl('ca', ...config, ...list)
  await openssl('crl', '-in', 'revoked.pem', '-outform', 'DER', '-out', 'revoked.der')
  const opened = opening.move()
  return {
    folder: cwd,
    key: join(cwd, 'mill.key'),
    chain: join(cwd, 'mill.pem'),
    root: join(cwd, 'root.pem'),
    revoked: join(cwd, 'revoked.der'),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

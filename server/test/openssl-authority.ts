import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { makeTemporaryFolder } from './temporary-folder.ts'

const run = promisify(execFile)

/** `openssl ts` answers with the certificate of the signer alone: with those of `certs`, it does not put them in order. */
const configuration = (folder: string): string => `
[ req ]
distinguished_name = dn
prompt = no
[ dn ]
CN = name
[ root ]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[ signer ]
basicConstraints = CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[ tsa ]
default_tsa = stamps
[ stamps ]
serial = ${folder}/serial
signer_cert = ${folder}/signer.pem
signer_key = ${folder}/signer.key
default_policy = 1.3.6.1.4.1.99999.1
digests = sha256
signer_digest = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
`

export type OpensslAuthority = AsyncDisposable & {
  readonly url: string
  /** The file of its root certificate, in PEM. */
  readonly root: string
}

const algorithms = {
  RSA: ['-newkey', 'rsa:2048'],
  ECDSA: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
} as const

/** An authority for time stamps that is not ours: `openssl ts` behind HTTP. */
export const startOpensslAuthority = async (kind: keyof typeof algorithms): Promise<OpensslAuthority> => {
  await using opening = new AsyncDisposableStack()
  const { path } = opening.use(await makeTemporaryFolder())
  const openssl = (...given: readonly string[]) => run('openssl', given, { cwd: path })
  const config = join(path, 'config')
  await writeFile(config, configuration(path))
  await writeFile(join(path, 'serial'), '01\n')
  const made = (name: string) => [
    ...algorithms[kind],
    '-nodes',
    '-keyout',
    `${name}.key`,
    '-subj',
    `/CN=${kind} ${name}`,
  ]
  const days = ['-days', '30']
  await openssl(
    'req',
    '-x509',
    ...made('root'),
    '-out',
    'root.pem',
    ...days,
    '-config',
    config,
    '-extensions',
    'root',
  )
  await openssl('req', ...made('signer'), '-out', 'signer.csr', '-config', config)
  const signing = ['-CA', 'root.pem', '-CAkey', 'root.key', '-CAcreateserial', ...days, '-extfile', config]
  await openssl(
    'x509',
    '-req',
    '-in',
    'signer.csr',
    ...signing,
    '-extensions',
    'signer',
    '-out',
    'signer.pem',
  )
  let before: Promise<unknown> = Promise.resolve()
  const answer = async (question: Buffer): Promise<Buffer> => {
    await writeFile(join(path, 'question'), question)
    await openssl('ts', '-reply', '-config', config, '-queryfile', 'question', '-out', 'answer')
    return await readFile(join(path, 'answer'))
  }
  const server = createServer((request, response) => {
    void buffer(request).then((question) => {
      const answering = before.then(() => answer(question))
      before = answering.catch(() => {})
      answering.then(
        (bytes) => response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(bytes),
        () => response.writeHead(500).end(),
      )
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  opening.defer(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    await before
  })
  const opened = opening.move()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    root: join(path, 'root.pem'),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

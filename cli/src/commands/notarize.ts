import { readFile } from 'node:fs/promises'
import { connect, NotarizationFailed } from '@millseal/sdk'
import { command } from '../frame/command.ts'
import { readCertificateFile } from '../verification/read-file.ts'
import { accessHelp, credentialHelp, credentialOptions, readAccessToken } from './credentials.ts'
import { serverAddress, serverOption } from './server-address.ts'

export const notarize = command({
  args: ['json'],
  options: {
    identity: { value: '<id>', required: true, about: 'the identity that signs' },
    mode: { value: '<mode>', required: true, among: ['test', 'live'], about: 'the mode of the application' },
    wait: { about: 'until the certificate is on the ledger; without it, until it is accepted' },
    ...credentialOptions,
    server: serverOption,
  },
  details: `Hands a certificate in. Calling again with the same certificate changes nothing: it is answered with its transaction.

${credentialHelp}
${accessHelp}`,
  examples: [
    'millseal notarize certificate.json --identity 01a1fd83-0cf3-7aca-bf41-5a675b056c15 --mode test --wait',
  ],
  async run({ args: [path = ''], values: { identity, mode, ...values }, environment, terminal }) {
    const { hash } = await readCertificateFile(path)
    if (hash.kind !== 'json') throw new Error(`${path} is a PDF: certificates are notarized as JSON`)
    const baseUrl = serverAddress(values.server, environment)
    const clientId = values['client-id']
    const accessToken = await readAccessToken({ baseUrl, clientId }, environment)
    const client = connect({ baseUrl, accessToken })
    const document = new Blob([await readFile(path)], { type: 'application/json' })
    const accepted = await client.notarizeCertificate({ query: { mode, identity }, document })
    const { jobId, transactionId } = accepted
    if (!accepted.isNewInstance || jobId === undefined || !values.wait) {
      const what =
        transactionId === undefined ? `accepted as ${jobId}` : `on the ledger already: ${transactionId}`
      return { result: accepted, said: `${path} is ${what}\n` }
    }
    try {
      const done = await client.waitForNotarization({
        id: jobId,
        onProgress: ({ state }) => terminal.progress(`${path} is ${state}`),
      })
      return { result: done, said: `${path} is on the ledger: ${done.transactionId}\n` }
    } catch (error) {
      if (!(error instanceof NotarizationFailed)) throw error
      return { ok: false, result: error.certificate, said: `${path} was not notarized: ${error.message}\n` }
    }
  },
})

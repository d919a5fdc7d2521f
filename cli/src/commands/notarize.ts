import type { Notarization } from '@millseal/contract'
import { plainLine } from '@millseal/proof/verifier'
import { ApiError, NotarizationFailed } from '@millseal/sdk'
import { command } from '../frame/command.ts'
import { UsageError } from '../frame/usage-error.ts'
import { certificateDocument } from './certificate-document.ts'
import { connectApplication, readCertificateId } from './correction-options.ts'
import { accessHelp, credentialHelp, credentialOptions } from './credentials.ts'
import { notarizeMany } from './notarize-many.ts'
import { serverOption } from './server-address.ts'

export const notarize = command({
  args: ['json'],
  several: true,
  options: {
    identity: { value: '<id>', required: true, about: 'the identity that signs' },
    mode: { value: '<mode>', required: true, among: ['test', 'live'], about: 'the mode of the application' },
    own: { about: 'record an own entry although another company was first: for the seller that it names' },
    'accept-findings': {
      about: 'notarize it although something in it does not fit together: you have read what, and know why',
    },
    replaces: { value: '<certificate>', about: 'replace this one by it: an id, or its JSON or PDF' },
    reason: { value: '<text>', about: 'why it is replaced; public, on the ledger for ever' },
    report: {
      value: '<file>',
      about: 'of several: add a line of JSON for each to this file, and do not send again what it has',
    },
    wait: { about: 'wait until the certificate is on the ledger, not only until it is accepted' },
    ...credentialOptions,
    server: serverOption,
  },
  description: `Submits a certificate for notarization. If the certificate is already on the ledger, the command prints its transaction and
changes nothing. A certificate in which something does not fit together (millseal validate says what) is refused with exit code 1,
unless you accept what was found.

Several files are sent in batches. A certificate that was accepted before is not notarized twice: after a stop, run the same command
again. The exit code is 1 if one of them was refused.

${credentialHelp}
${accessHelp}`,
  examples: [
    'millseal notarize certificate.json --identity 01a1fd83-0cf3-7aca-bf41-5a675b056c15 --mode test --wait',
    'millseal notarize certificates/*.json --identity 01a1fd83-0cf3-7aca-bf41-5a675b056c15 --mode test --report sent.ndjson',
  ],
  async run({ args, values: { identity, mode, own, ...values }, environment, terminal }) {
    const [path = ''] = args
    const { report, wait } = values
    const onFindings = values['accept-findings'] ? 'accept' : 'refuse'
    if (args.length > 1 || report !== undefined) {
      if (own || values.replaces !== undefined || values.reason !== undefined)
        throw new UsageError('--own, --replaces and --reason are for one file')
      const client = await connectApplication(values, environment)
      return await notarizeMany({
        client,
        query: { mode, identity, onFindings },
        files: args,
        wait,
        report,
        terminal,
      })
    }
    const document = await certificateDocument(path, 'submit')
    const client = await connectApplication(values, environment)
    const replaces =
      values.replaces === undefined
        ? undefined
        : await readCertificateId(client, { given: values.replaces, mode })
    const { reason } = values
    const query = { mode, identity, own: own || undefined, onFindings, replaces, reason } as const
    const accepted = await client.notarizeCertificate({ query, document }).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'findings_refused') throw error
      for (const detail of error.answer?.details ?? []) terminal.note(`${terminal.caution('!')} ${detail}`)
      throw new Error(
        `${path} is not notarized: correct what was found, or add --accept-findings if it is right`,
      )
    })
    if (!accepted.isNewInstance)
      return {
        result: accepted,
        text: `${path} is already on the ledger: ${accepted.transactionId}${whoseOf(accepted)}\n`,
      }
    if (!wait) return { result: accepted, text: `${path} is accepted as ${accepted.jobId}\n` }
    try {
      const done = await client.waitForNotarization({
        id: accepted.jobId,
        onProgress: ({ state }) => terminal.progress(`${path} is ${state}`),
      })
      return { result: done, text: `${path} is on the ledger: ${done.transactionId}\n` }
    } catch (error) {
      if (!(error instanceof NotarizationFailed)) throw error
      return { ok: false, result: error.certificate, text: `${path} was not notarized: ${error.message}\n` }
    }
  },
})

const whoseOf = ({ issuer }: Notarization): string =>
  issuer === undefined
    ? ''
    : `, by ${plainLine(issuer.name ?? issuer.did ?? 'several keys', 120)} on ${issuer.time.slice(0, 10)}`

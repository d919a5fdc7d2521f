import { command } from '../frame/command.ts'
import { connectApplication, correctionOptions, readCertificateId } from './correction-options.ts'
import { accessHelp, credentialHelp } from './credentials.ts'

export const withdraw = command({
  args: ['certificate'],
  options: correctionOptions,
  description: `Withdraws a certificate: the ledger says from now on that it is not valid, and everybody who was mailed it gets a mail.
It cannot be undone. <certificate> is its id, or its JSON or PDF.

${credentialHelp}
${accessHelp}`,
  examples: ['millseal withdraw certificate.pdf --mode test --reason "Wrong heat number"'],
  async run({ args: [given = ''], values: { mode, reason, ...values }, environment }) {
    const client = await connectApplication(values, environment)
    const id = await readCertificateId(client, { given, mode })
    const done = await client.withdrawCertificate({ params: { id }, body: { reason } })
    return { result: done, text: `${given} is withdrawn\n` }
  },
})

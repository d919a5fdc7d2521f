import { command } from '../frame/command.ts'
import { connectApplication, correctionOptions, readCertificateId } from './correction-options.ts'
import { accessHelp, credentialHelp } from './credentials.ts'

export const replace = command({
  args: ['certificate', 'new certificate'],
  options: correctionOptions,
  description: `Replaces a certificate by another one that your company has notarized: the ledger says from now on which one is valid, and
everybody who was mailed the old one gets a mail. Both are given as their ids, or as their JSON or PDF.

${credentialHelp}
${accessHelp}`,
  examples: ['millseal replace old.json new.json --mode test --reason "Corrected tensile strength"'],
  async run({ args: [given = '', next = ''], values: { mode, reason, ...values }, environment }) {
    const client = await connectApplication(values, environment)
    const id = await readCertificateId(client, { given, mode })
    const replacedBy = await readCertificateId(client, { given: next, mode })
    const done = await client.replaceCertificate({ params: { id }, body: { replacedBy, reason } })
    return { result: done, text: `${given} is replaced by ${next}\n` }
  },
})

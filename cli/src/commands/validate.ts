import type { ValidationReport } from '@millseal/contract'
import { ApiError, connect } from '@millseal/sdk'
import { command } from '../frame/command.ts'
import { certificateDocument } from './certificate-document.ts'
import { accessHelp, credentialHelp, credentialOptions, readAccessToken } from './credentials.ts'
import { serverAddress, serverOption } from './server-address.ts'

export const validate = command({
  args: ['json'],
  options: { ...credentialOptions, server: serverOption },
  description: `Checks a certificate by its schema and against itself: values outside of the limits that it prints, means and formulas that do
not add up, heats without results. Records nothing.

${credentialHelp}
${accessHelp}

Exit codes: 0 valid, 1 not valid or not checked, 2 invalid arguments, 3 valid, but something in it does not fit together.`,
  examples: ['millseal validate certificate.json'],
  async run({ args: [path = ''], values, environment, terminal }) {
    const document = await certificateDocument(path, 'validate')
    const baseUrl = serverAddress(values.server, environment)
    const accessToken = await readAccessToken({ baseUrl, clientId: values['client-id'] }, environment)
    try {
      const client = connect({ baseUrl, accessToken })
      const report = (await client.validateCertificate({
        query: { report: true },
        document,
      })) as ValidationReport
      const { findings, warnings, checkedBy } = report
      const isFinding = (reason: string) => findings.some((finding) => finding.reason === reason)
      const lines = [
        ...findings.map(({ reason }) => `  ${terminal.caution('!')} ${reason}`),
        ...warnings.flatMap(({ label, pointer, reason }) =>
          isFinding(reason) ? [] : [`  ${terminal.faint('–')} ${label ?? pointer}: ${reason}`],
        ),
      ]
      return {
        result: report,
        text: [`${path} is valid by ${checkedBy.schema}`, ...lines, ''].join('\n'),
        exitCode: findings.length === 0 ? 0 : 3,
      }
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'certificate_invalid') throw error
      const { details = [], reasons = [] } = error.answer ?? {}
      const lines = details.map((detail) => `  ${terminal.bad('✕')} ${detail}`)
      return {
        ok: false,
        result: { isValid: false, details, reasons },
        text: [`${path} is not valid`, ...lines, ''].join('\n'),
      }
    }
  },
})

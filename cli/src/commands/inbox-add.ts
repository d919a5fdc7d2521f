import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ReadInboxEntry } from '@millseal/contract'
import { looksLikePdf } from '@millseal/proof/verifier'
import { ApiError, connect } from '@millseal/sdk'
import { command } from '../frame/command.ts'
import { messageOf } from '../frame/error-message.ts'
import type { Terminal } from '../frame/terminal.ts'
import { accessHelp, credentialHelp, credentialOptions, readAccessToken } from './credentials.ts'
import { serverAddress, serverOption } from './server-address.ts'

/** From the worst to the best; `notFiled` is a file that could not be read, or that the server refused. */
const exitCodes = { doNotAccept: 1, notFiled: 5, look: 4, meetsEverything: 0 } as const
type Advice = keyof typeof exitCodes
const advices = Object.keys(exitCodes) as readonly Advice[]

type Filed = { readonly file: string; readonly advice: Advice } & (
  | { readonly entry: ReadInboxEntry }
  | { readonly error: string }
)

export const inboxAdd = command({
  args: ['certificate'],
  several: true,
  options: {
    mode: { value: '<mode>', required: true, among: ['test', 'live'], about: 'the mode of the application' },
    against: { value: '<requirement>', about: 'the name or hash of a requirement that the company keeps' },
    ...credentialOptions,
    server: serverOption,
  },
  description: `Files certificates that came with a delivery, JSON or PDF, on the desk of the company, and says of each whether it is genuine, still valid,
and meets the requirement. A file that was filed before is the same entry, so the command can be repeated.

${credentialHelp}
${accessHelp}

Exit codes by the worst file: 0 all meet everything, 1 one must not be accepted, 4 one must be looked at, 5 one was not filed;
2 invalid arguments.`,
  examples: ['millseal inbox add delivery/*.pdf --mode live --against "S355J2+N plate"'],
  async run({ args, values, environment, terminal }) {
    const baseUrl = serverAddress(values.server, environment)
    const accessToken = await readAccessToken({ baseUrl, clientId: values['client-id'] }, environment)
    const client = connect({ baseUrl, accessToken })
    const filed: Filed[] = []
    for (const file of args) {
      try {
        const bytes = await readFile(file)
        const type = looksLikePdf(bytes) ? 'application/pdf' : 'application/json'
        const entry = await client.fileCertificate({
          query: { mode: values.mode, against: values.against, fileName: basename(file).slice(-longestName) },
          document: new Blob([bytes], { type }),
        })
        filed.push({ file, advice: entry.advice ?? 'look', entry })
      } catch (error) {
        if (error instanceof ApiError && error.code === 'requirement_invalid') throw error
        filed.push({ file, advice: 'notFiled', error: messageOf(error) })
      }
    }
    const worst = advices.find((advice) => filed.some((one) => one.advice === advice)) ?? 'notFiled'
    return {
      result: { advice: worst, files: filed },
      text: filed.map((one) => textOf(one, terminal)).join('\n'),
      exitCode: exitCodes[worst],
    }
  },
})

const longestName = 200

const titles: Readonly<Record<Advice, string>> = {
  doNotAccept: 'DO NOT ACCEPT',
  notFiled: 'NOT FILED',
  look: 'TO LOOK AT',
  meetsEverything: 'MEETS EVERYTHING',
}

const textOf = (filed: Filed, terminal: Terminal): string => {
  const paint = filed.advice === 'meetsEverything' ? terminal.good : terminal.bad
  const title = paint(`${filed.file}: ${titles[filed.advice]}`)
  if ('error' in filed) return `${title}\n  ${filed.error}\n`
  const { id, verdict, check, unchecked, lines, selfCheck } = filed.entry
  const required =
    check === undefined ? unchecked : `${check.met} of ${check.lines} (${check.requirement.name})`
  const reasons = [...lines, ...selfCheck].flatMap(({ reason }) => reason ?? [])
  return [
    `${title} (${id})`,
    `  verdict ${verdict ?? '–'}, requirement ${required ?? '–'}`,
    ...reasons.map((reason) => `  ${terminal.caution('!')} ${reason}`),
    '',
  ].join('\n')
}

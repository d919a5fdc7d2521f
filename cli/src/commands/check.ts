import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { CertificateCheck, CheckCertificate } from '@millseal/contract'
import { readRequirementTable, ruleOfRow } from '@millseal/contract/requirement-table'
import { extractEmbeddedCertificate } from '@millseal/proof/verifier'
import { ApiError, connect } from '@millseal/sdk'
import { command } from '../frame/command.ts'
import { messageOf } from '../frame/error-message.ts'
import type { Terminal } from '../frame/terminal.ts'
import { readCertificateFile } from '../verification/read-file.ts'
import { accessHelp, credentialHelp, credentialOptions, readAccessToken } from './credentials.ts'
import { serverAddress, serverOption } from './server-address.ts'

/** From the worst to the best; `unchecked` is a file that could not be read, or a server that did not answer. */
const exitCodes = { fail: 1, unchecked: 5, unknown: 4, missing: 3, pass: 0 } as const
type Verdict = keyof typeof exitCodes
const verdicts = Object.keys(exitCodes) as readonly Verdict[]

type Checked = { readonly file: string; readonly verdict: Verdict } & (
  | { readonly check: CertificateCheck }
  | { readonly error: string }
)

export const check = command({
  args: ['certificate'],
  several: true,
  options: {
    against: {
      value: '<requirement>',
      about: 'a file, JSON or CSV, or the name or hash of a requirement; without it, the one that applies',
    },
    order: { value: '<number>', about: 'an order of the company, whose line is compared as well' },
    item: { value: '<item>', about: 'its item; without it, the one that the certificate names' },
    ...credentialOptions,
    server: serverOption,
  },
  description: `Checks certificates, JSON or PDF with the JSON inside, against a requirement, an order line, or both. Says of each limit and each heat what is printed, what was
compared, and whether it is met. What is unknown never passes. Records nothing.

${credentialHelp}
${accessHelp}

Exit codes by the worst verdict: 0 pass, 1 fail, 3 missing, 4 unknown, 5 not checked; 2 invalid arguments.`,
  examples: [
    'millseal check certificate.json --against S355J2N.json',
    'millseal check *.pdf --against "S355J2+N plate" --json',
    'millseal check *.pdf --order PO-4749 --item 10',
  ],
  async run({ args, values, environment, terminal }) {
    const { order, item } = values
    const against = { ...(await requirementIn(values.against)), order, item }
    const baseUrl = serverAddress(values.server, environment)
    const accessToken = await readAccessToken({ baseUrl, clientId: values['client-id'] }, environment)
    const client = connect({ baseUrl, accessToken })
    const checked: Checked[] = []
    for (const file of args) {
      try {
        const certificate = await certificateText(file)
        const body = { ...against, certificate }
        const found = await client.checkCertificate({ body })
        checked.push({ file, verdict: found.verdict, check: found })
      } catch (error) {
        if (error instanceof ApiError && error.code === 'requirement_invalid') throw error
        checked.push({ file, verdict: 'unchecked', error: messageOf(error) })
      }
    }
    const worst = verdicts.find((verdict) => checked.some((one) => one.verdict === verdict)) ?? 'unchecked'
    return {
      result: { verdict: worst, files: checked },
      text: checked.map((one) => textOf(one, terminal)).join('\n'),
      exitCode: exitCodes[worst],
    }
  },
})

/** A file if there is one, else the name or the hash of a requirement that the company keeps. */
const requirementIn = async (given: string | undefined): Promise<CheckCertificate> => {
  if (given === undefined) return {}
  const text = await readFile(given, 'utf8').catch(() => undefined)
  if (text === undefined) return { against: given }
  if (/\.csv$/i.test(given))
    return { requirement: { name: basename(given).slice(0, -4), rules: rulesIn(text, given) } }
  try {
    return { requirement: JSON.parse(text) as Record<string, unknown> }
  } catch (error) {
    throw new Error(`${given} is not JSON`, { cause: error })
  }
}

const rulesIn = (csv: string, path: string): readonly object[] => {
  const { rows, unknown } = readRequirementTable(csv)
  if (unknown.length === 0) return rows.map(ruleOfRow)
  throw new Error(`${path}: no column of requirements is called ${unknown.join(', ')}`)
}

const certificateText = async (path: string): Promise<string> => {
  const { bytes, hash } = await readCertificateFile(path)
  const json = hash.kind === 'json' ? bytes : await extractEmbeddedCertificate(bytes)
  if (json === undefined) throw new Error(`${path} has no JSON certificate inside`)
  return Buffer.from(json).toString('utf8')
}

const textOf = (checked: Checked, terminal: Terminal): string => {
  const title = `${checked.file}: ${checked.verdict.toUpperCase()}`
  if ('error' in checked) return `${terminal.bad(title)}\n  ${checked.error}\n`
  const { lines, findings, requirement, order } = checked.check
  const paint = checked.verdict === 'pass' ? terminal.good : terminal.bad
  const rows = lines.map((line) => [
    line.result,
    line.of,
    line.heat ?? '–',
    line.printed ?? '–',
    line.compared ?? '–',
    line.limit ?? '–',
    line.reason ?? '',
  ])
  const head = ['result', 'of', 'heat', 'printed', 'compared', 'limit', '']
  return [
    `${paint(title)} (${[shownName(requirement) ?? 'no requirement applies', orderName(order)].filter(Boolean).join('; ')})`,
    ...tableOf([head, ...rows]).map((row) => `  ${row}`),
    ...findings.map(({ reason }) => `  ${terminal.caution('!')} ${reason}`),
    '',
  ].join('\n')
}

const shownName = (one: { readonly name: string; readonly hash: string } | undefined): string | undefined =>
  one && `${one.name}, ${one.hash.slice(0, 12)}`

const orderName = (order: CertificateCheck['order']): string | undefined =>
  order && ['order', order.order ?? '–', order.item ?? ''].join(' ').trim()

const widest = 40

const tableOf = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.min(widest, Math.max(...rows.map((row) => row[column]?.length ?? 0))),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

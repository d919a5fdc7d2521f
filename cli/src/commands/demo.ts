import { mkdir, writeFile } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { headlineOf } from '@millseal/proof'
import { connect } from '@millseal/sdk'
import { installation } from '@millseal/server'
import { announceWaits } from '../demo/announce-waits.ts'
import { connectMachine, createCompany } from '../demo/company.ts'
import type { DemoContext } from '../demo/context.ts'
import { type Documents, notarize } from '../demo/notarization.ts'
import { createSteps, type Steps } from '../demo/steps.ts'
import { giveTour, type Tour } from '../demo/tour.ts'
import { command } from '../frame/command.ts'
import { programName } from '../frame/program-name.ts'
import { readCertificateFile, readJsonFile, readPolicyFile } from '../verification/read-file.ts'
import { readTrust } from '../verification/read-trust.ts'
import { verifyFile } from '../verification/verify-file.ts'
import { serverAddress, serverOption } from './server-address.ts'

export const demo = command({
  options: {
    server: serverOption,
    folder: {
      value: '<folder>',
      about: 'the folder for PDF, JSON, bundle and policy; default ./millseal-demo',
    },
    tour: {
      about: 'instead, fill the server for a tour of the console: two companies, members, 50 certificates',
    },
  },
  description: `Runs the whole process in test mode: a user registers and creates a company, an operator verifies the company, an
application creates a wallet and an identity and notarizes a certificate. Then the demo verifies the JSON and the PDF, on the
server and offline. Every run creates new users and a new company.

Needs a server on this machine without SMTP_URL, and the settings of this server: the demo reads the e-mails and creates an
operator in its data folder (MILLSEAL_DATA_DIR) or database (DATABASE_URL). Never run it on a server that others use.`,
  examples: [
    'millseal demo',
    'millseal demo --tour',
    'millseal demo --server http://localhost:9000 --folder /tmp/demo',
  ],
  async run({ values, environment, terminal }) {
    const startedMs = performance.now()
    const baseUrl = serverAddress(values.server, environment)
    const installed = await installation(environment)
    const steps = createSteps(terminal)
    const fetching = announceWaits(terminal)
    const connectWith: DemoContext['connectWith'] = (as) => connect({ baseUrl, fetch: fetching, ...as })
    const context: DemoContext = {
      baseUrl,
      connectWith,
      dataDir: installed.dataDir,
      installation: installed,
      steps,
    }
    terminal.note(`Millseal at ${baseUrl}`)
    await steps.step('check that the server is ready', () => connectWith({}).readReadiness())
    if (values.tour) return toured(await giveTour(context), baseUrl)
    const company = await createCompany(context)
    const machine = await connectMachine(context, company)
    const documents = await notarize(context, machine, company)
    const folder = resolve(values.folder ?? 'millseal-demo')
    const files = await save(folder, documents)
    await verifyOnline(baseUrl, documents, steps)
    await verifyOffline(files, steps)
    const ms = Math.round(performance.now() - startedMs)
    return {
      result: { ms, folder, files, steps: steps.done },
      text: `Done in ${(ms / 1_000).toFixed(1)} s. ${folder} contains certificate.pdf, certificate.json, bundle.json and policy.json.
To verify the certificate again, offline:
  ${shownProgram()} verify ${shown(files.pdf)} --mode test --bundle ${shown(files.bundle)} --policy ${shown(files.policy)}
`,
    }
  },
})

const toured = (tour: Tour, baseUrl: string) => {
  const people = {
    clerk: tour.clerk,
    manager: tour.manager,
    buyer: tour.buyer,
    operator: tour.operator,
  }
  const logins = Object.entries(people).map(([role, { username, password, secret }]) => ({
    role,
    username,
    password,
    secret,
  }))
  const line = ({ role, username, password, secret }: (typeof logins)[number]) =>
    `  ${role.padEnd(10)} ${username}, password ${password}${secret === undefined ? '' : `, secret for an authenticator app ${secret}`}`
  return {
    result: { certificates: tour.certificates, logins },
    text: `${tour.mill.name} has ${tour.certificates} certificates in test and live mode. ${tour.receiver.name} received them.
Open ${baseUrl}/console and sign in as one of these; the clerk sees test mode at once:
${logins.map(line).join('\n')}
`,
  }
}

const shownProgram = (): string => {
  const program = programName()
  return isAbsolute(program) ? shown(program) : program
}

/** A path that a shell in the current folder understands. */
const shown = (path: string): string => {
  const fromHere = relative(process.cwd(), path)
  const short = fromHere.startsWith('..') ? path : fromHere
  return /^[\w./-]+$/.test(short) ? short : `'${short.replaceAll("'", `'\\''`)}'`
}

type Files = Readonly<Record<'pdf' | 'json' | 'bundle' | 'policy', string>>

const save = async (folder: string, { pdf, json, bundle, policy }: Documents): Promise<Files> => {
  const files = {
    pdf: join(folder, 'certificate.pdf'),
    json: join(folder, 'certificate.json'),
    bundle: join(folder, 'bundle.json'),
    policy: join(folder, 'policy.json'),
  }
  await mkdir(folder, { recursive: true })
  await Promise.all([
    writeFile(files.pdf, pdf),
    writeFile(files.json, json),
    writeFile(files.bundle, `${JSON.stringify(bundle, null, 2)}\n`),
    writeFile(files.policy, `${JSON.stringify(policy, null, 2)}\n`),
  ])
  return files
}

const verifyOnline = async (baseUrl: string, { pdf, json }: Documents, { step }: Steps): Promise<void> => {
  const anonymous = connect({ baseUrl })
  for (const [what, type, bytes] of [
    ['JSON', 'application/json', json],
    ['PDF', 'application/pdf', pdf],
  ] as const) {
    const document = new Blob([new Uint8Array(bytes)], { type })
    const { isValid } = await step(
      `verify the ${what} without signing in`,
      () => anonymous.verifyCertificate({ query: { mode: 'test' }, document }),
      ({ company }) => `issued by ${company?.name ?? 'an unknown company'}`,
    )
    if (!isValid) throw new Error(`the server says that the ${what} is not valid`)
  }
}

const verifyOffline = async (files: Files, { step }: Steps): Promise<void> => {
  const bundle = await readJsonFile(files.bundle, 'The bundle')
  const policy = readTrust(await readPolicyFile(files.policy))
  for (const kind of ['json', 'pdf'] as const) {
    const name = kind.toUpperCase()
    const { verdict, answers } = await step(
      `verify the ${name} offline`,
      async () =>
        verifyFile({
          file: await readCertificateFile(files[kind]),
          policy,
          reading: { now: new Date() },
          findBundle: async () => bundle,
        }),
      (report) => headlineOf(report).says,
    )
    if (verdict !== 'test' || answers.issuer !== 'yes') throw new Error(`the ${name} is not valid offline`)
  }
}

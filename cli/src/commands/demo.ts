import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { connect } from '@millseal/sdk'
import { installation } from '@millseal/server'
import { connectMachine, foundMill, type Setting } from '../demo/mill.ts'
import { notarize, type Papers } from '../demo/notarization.ts'
import { createSteps, type Steps } from '../demo/steps.ts'
import { command } from '../frame/command.ts'
import { judge } from '../verification/judge.ts'
import { readCertificateFile, readJsonFile } from '../verification/read-file.ts'
import { readTrust } from '../verification/read-trust.ts'
import { serverAddress, serverOption } from './server-address.ts'

export const demo = command({
  options: {
    server: serverOption,
    folder: {
      value: '<folder>',
      about: 'where PDF, JSON, bundle and policy go; ./millseal-demo unless given',
    },
  },
  details: `Walks the whole way on a running server, in test mode: a person registers and founds a company, an operator verifies it,
a machine makes wallet and identity and notarizes a certificate, and the certificate is verified by its JSON and by its
PDF, by the server and then without it. Each run makes people and a company of its own.

The server is one on this machine without SMTP_URL: the demo reads its mails, and makes an operator, in the data folder
(MILLSEAL_DATA_DIR) or the database (DATABASE_URL) of that server, so it takes the same settings.`,
  examples: ['millseal demo', 'millseal demo --server http://localhost:9000 --folder /tmp/demo'],
  async run({ values, environment, terminal }) {
    const startedMs = performance.now()
    const baseUrl = serverAddress(values.server, environment)
    const installed = await installation(environment)
    const steps = createSteps(terminal)
    const setting: Setting = { baseUrl, dataDir: installed.dataDir, installation: installed, steps }
    terminal.tell(`Millseal at ${baseUrl}`)
    await steps.step('ask whether it is ready', () => connect({ baseUrl }).readReadiness())
    const mill = await foundMill(setting)
    const machine = await connectMachine(setting, mill)
    const papers = await notarize(setting, machine, mill)
    const folder = resolve(values.folder ?? 'millseal-demo')
    const files = await keep(folder, papers)
    await verifyOnline(baseUrl, papers, steps)
    await verifyOffline(files, steps)
    const ms = Math.round(performance.now() - startedMs)
    return {
      result: { ms, folder, files, steps: steps.done },
      said: `Verified after ${(ms / 1_000).toFixed(1)} s. In ${folder}: certificate.pdf, certificate.json, bundle.json, policy.json.
Again, without any network:
  script/millseal verify ${files.pdf} --bundle ${files.bundle} --policy ${files.policy}
`,
    }
  },
})

type Files = Readonly<Record<'pdf' | 'json' | 'bundle' | 'policy', string>>

const keep = async (folder: string, { pdf, json, bundle, policy }: Papers): Promise<Files> => {
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

const verifyOnline = async (baseUrl: string, { pdf, json }: Papers, { step }: Steps): Promise<void> => {
  const anybody = connect({ baseUrl })
  for (const [what, type, bytes] of [
    ['JSON', 'application/json', json],
    ['PDF', 'application/pdf', pdf],
  ] as const) {
    const found = await step(
      `verify by the ${what}, as anybody may`,
      () =>
        anybody.verifyCertificate({
          query: { mode: 'test' },
          document: new Blob([new Uint8Array(bytes)], { type }),
        }),
      ({ company }) => `issued by ${company?.name ?? 'nobody known'}`,
    )
    if (!found.isValid) throw new Error(`the server does not find the ${what} valid`)
  }
}

const verifyOffline = async (files: Files, { step }: Steps): Promise<void> => {
  const bundle = await readJsonFile(files.bundle, 'The bundle')
  const policy = readTrust(await readJsonFile(files.policy, 'The policy'))
  for (const kind of ['json', 'pdf'] as const) {
    const verdict = await step(`verify the ${kind.toUpperCase()} without the server`, async () =>
      judge({ file: await readCertificateFile(files[kind]), policy, findBundle: async () => bundle }),
    )
    if (!verdict.isValid) throw new Error(`the ${kind.toUpperCase()} is not valid by its bundle`)
  }
}

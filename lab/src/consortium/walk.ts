import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { splitNote } from '@millseal/proof'
import { sha256Of } from '@millseal/proof/testing'
import { millseal } from '../../../cli/test/millseal.ts'
import { eventually } from '../../../server/test/eventually.ts'
import { openOrganisation, type Organisation } from './organisation.ts'

export type Consortium = AsyncDisposable & {
  readonly mill: Organisation
  readonly inspector: Organisation
  readonly association: Organisation
}

type Say = (line: string) => void

/** Three organisations, each with the log of its own, which the two others hold and confirm. */
export const foundConsortium = async (folder: string, say: Say): Promise<Consortium> => {
  await using opened = new AsyncDisposableStack()
  const open = async (name: string) => opened.use(await openOrganisation(name, folder))
  const [mill, inspector, association] = [
    await open('mill'),
    await open('inspector'),
    await open('association'),
  ]
  const all = [mill, inspector, association]
  await Promise.all(all.map((one) => one.start()))
  say('1. mill, inspector and association run, each with its own folder, keys, database and log')
  const lists = await Promise.all(all.map(async ({ url }) => (await fetch(`${url}/ledger/logs.v0`)).text()))
  await Promise.all(all.map((one) => one.stop()))
  const keys = await Promise.all(all.map((one, at) => one.hold(lists.filter((_list, other) => other !== at))))
  say('2. each has the list of logs of the two others, and has made the keys of its node')
  const nodes = all.map(({ name, url }, at) => ({ name, url, key: keys[at] ?? '' }))
  await Promise.all(all.map((one) => one.confirmBy(nodes.filter(({ name }) => name !== one.name))))
  await Promise.all(all.map((one) => one.start()))
  say('3. each asks the two others to confirm its log; one of them is enough')
  const stack = opened.move()
  return { mill, inspector, association, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** Who has signed the newest confirmed checkpoint of this organisation, once it has all entries and these hold a copy of it. */
const untilHeld = (
  { url, name, logId, sizeAt }: Organisation,
  holders: readonly Organisation[],
): Promise<{ readonly size: number; readonly signers: readonly string[] }> =>
  eventually(
    async () => {
      const size = await sizeAt('/ledger/test/checkpoint')
      const copies = await Promise.all(holders.map((holder) => holder.sizeAt(`/node/${logId}/checkpoint`)))
      const note = await (await fetch(`${url}/ledger/test/confirmed/checkpoint`)).text()
      const isConfirmed = size > 0 && note.split('\n')[1] === String(size)
      if (!isConfirmed || copies.some((copy) => copy !== size)) return false
      const signers = splitNote(note).lines.map((line) => line.split(' ')[1] ?? '')
      return { size, signers: signers.filter((signer) => signer.endsWith('/node')).toSorted() }
    },
    {
      what: `the log of the ${name} is confirmed and held by ${holders.map((one) => one.name).join(' and ')}`,
    },
  )

/** Verifies a PDF without the network, with the bundle of a node that holds the log of its issuer. */
const verifyBy = async (
  holder: Organisation,
  { certificate, logId }: { readonly certificate: string; readonly logId: string },
): Promise<Readonly<Record<string, string>>> => {
  const pdf = join(certificate, 'certificate.pdf')
  const response = await fetch(`${holder.url}/node/${logId}/proof/${sha256Of(await readFile(pdf))}`)
  const bundle = join(certificate, `bundle-of-${holder.name}.json`)
  await writeFile(bundle, await response.text())
  const trust = ['--bundle', bundle, '--policy', join(certificate, 'policy.json'), '--mode', 'test', '--json']
  const { stdout, stderr } = await millseal(['verify', pdf, ...trust], { offline: true })
  if (stdout === '') throw new Error(`verify failed: ${stderr}`)
  return (JSON.parse(stdout) as { readonly answers: Readonly<Record<string, string>> }).answers
}

/** The life of a consortium, as docs/consortium.md tells it. */
export const walk = async ({ mill, inspector, association }: Consortium, say: Say): Promise<void> => {
  const all = [mill, inspector, association]
  const othersOf = (one: Organisation) => all.filter((other) => other !== one)
  const certificates = await Promise.all(all.map((one) => one.notarize()))
  for (const one of all) {
    const { size, signers } = await untilHeld(one, othersOf(one))
    say(
      `4. the log of the ${one.name} has ${size} entries, on three machines, confirmed by ${signers.join(' and ')}`,
    )
  }
  const [certificate = ''] = certificates
  await mill.kill()
  say('5. the mill is gone: killed')
  for (const holder of othersOf(mill)) {
    const answers = await verifyBy(holder, { certificate, logId: mill.logId })
    say(`6. its certificate verifies with the copy of the ${holder.name}: ${spoken(answers)}`)
  }
  await inspector.notarize()
  const alone = await untilHeld(inspector, [association])
  say(`7. the inspector goes on: ${alone.size} entries, confirmed by ${alone.signers.join(' and ')}`)
  await mill.start()
  await mill.notarize()
  const back = await untilHeld(mill, othersOf(mill))
  const caughtUp = await untilHeld(inspector, othersOf(inspector))
  say(
    `8. the mill is back: it goes on with ${back.size} entries, and holds all ${caughtUp.size} of the inspector`,
  )
}

const spoken = (answers: Readonly<Record<string, string>>): string =>
  Object.entries(answers)
    .map(([question, answer]) => `${question} ${answer}`)
    .join(', ')

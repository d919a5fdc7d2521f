import { createC2spWitness } from '../src/adapters/cosigner/c2sp-witness.ts'
import type { EmbeddedLedger, EmbeddedLedgerOptions } from '../src/adapters/ledger/embedded/embedded.ts'
import { createLogKey } from '../src/adapters/ledger/embedded/log-key.ts'
import { checkpointIn, formatNoteKey, parseTlogPolicy, type TlogPolicy } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { systemClock } from '../src/ports/clock/clock.ts'
import { generousMs } from './eventually.ts'
import { type LedgerInstallation, openLedgerInstallation } from './ledger-installation.ts'
import { certificateAsset, makeLedgerSigner } from './ledger-signer.ts'
import type { TestWitness } from './litewitness.ts'

const mill = makeLedgerSigner()

/** One after the other, each with its state leaf. */
export const record = async (ledger: EmbeddedLedger, count: number): Promise<void> => {
  for (let at = 0; at < count; at += 1) await ledger.submit(mill.create(certificateAsset()))
}

/** Any `quorum` of these witnesses; about these logs, or all. */
export const policyOf = (witnesses: readonly TestWitness[], { quorum = 2, logs = '' } = {}): TlogPolicy => {
  const names = witnesses.map((_, at) => `w${at + 1}`)
  const lines = witnesses.map(({ vkey, url }, at) => `witness ${names[at]} ${vkey} ${url}\n`)
  const text = `${logs}${lines.join('')}group others ${quorum} ${names.join(' ')}\nquorum others\n`
  return parseTlogPolicy(text, nodePrimitives)
}

export const cosignersOf = (policy: TlogPolicy): NonNullable<EmbeddedLedgerOptions['cosigners']> => ({
  policy,
  cosigners: policy.witnesses.map(({ name, key, url = '' }) =>
    createC2spWitness({ name, key, url, timeoutMs: generousMs }),
  ),
})

export const logKeyOf = async (server: LedgerInstallation, host: string): Promise<string> => {
  const log = createLogKey({ ...server, mode: 'test', clock: systemClock })
  return formatNoteKey((await log.ensure(`${host}/ledger/test`)).key)
}

/** An installation whose log these witnesses follow. */
export const openFollowed = async (
  witnesses: readonly TestWitness[],
  host: string,
): Promise<LedgerInstallation> => {
  const server = await openLedgerInstallation(undefined, host)
  const key = await logKeyOf(server, host)
  for (const witness of witnesses) witness.follow(key)
  return server
}

/** -1 if no checkpoint is confirmed. */
export const confirmedSize = async (ledger: EmbeddedLedger): Promise<number> => {
  const note = await ledger.files.readConfirmed()
  return note === undefined ? -1 : checkpointIn(note).size
}

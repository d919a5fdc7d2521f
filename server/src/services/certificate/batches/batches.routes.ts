import { operations } from '@millseal/contract'
import { type AnyCall, type Binding, bindTo, type Call, type Content } from '../../../http/binding.ts'
import { problemOfReading } from '../checking/read-document.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { notarize, type NotarizeDependencies } from '../notarizations/notarize.ts'
import { saidOf } from '../verifications/notes.ts'
import { proofOf } from '../verifications/read-proof.ts'
import { verifyRead } from '../verifications/verify.ts'
import { answerBatch } from './answer-batch.ts'
import { readBatch } from './read-batch.ts'

export const batchRoutes = (
  deps: CertificateDependencies,
  inTurns: NotarizeDependencies,
): readonly Binding[] => [
  bindTo(inTurns)(operations.notarizeCertificates, notarizeBatch),
  bindTo(deps)(operations.verifyCertificates, verifyBatch),
  bindTo(deps)(operations.readProofs, readProofs),
]

const answeringOf = ({ clock }: CertificateDependencies, { calledAs, log, signal, requestId }: AnyCall) => ({
  calledAs,
  clock,
  signal: signal(),
  onFault: (err: unknown) => log.error({ err, requestId }, 'unexpected error'),
})

const notarizeBatch = async (
  deps: NotarizeDependencies,
  call: Call<typeof operations.notarizeCertificates>,
): Promise<Content> => {
  const answering = answeringOf(deps, call)
  return answerBatch({
    ...answering,
    items: readBatch(deps, call.body),
    status: 201,
    work: async ({ bytes }) =>
      notarize(deps, {
        ...call,
        body: { bytes: bytes(), type: 'application/json', fields: {} },
        hasKey: false,
        commit: (work) => deps.database.transaction(work),
        signal: () => answering.signal,
      }),
  })
}

const verifyBatch = async (
  deps: CertificateDependencies,
  call: Call<typeof operations.verifyCertificates>,
): Promise<Content> =>
  answerBatch({
    ...answeringOf(deps, call),
    items: readBatch(deps, call.body),
    status: 200,
    work: async (item) => {
      const bytes = item.bytes()
      const read = await deps.reader.readKnown(bytes).catch((error: unknown) => {
        throw problemOfReading(error)
      })
      return verifyRead(deps, call.mode, { read, bytes })
    },
  })

/** For verifiers, who need proofs of many files, and trust no answer of this server. */
const readProofs = async (
  deps: CertificateDependencies,
  call: Call<typeof operations.readProofs>,
): Promise<Content> =>
  answerBatch({
    ...answeringOf(deps, call),
    items: call.body.hashes.map((name) => ({ name })),
    status: 200,
    work: async ({ name: hash }) => {
      const { bundle, notes } = await proofOf(deps, { hash, mode: call.mode, format: call.query.format })
      return { bundle, notes: notes.map((note) => ({ code: note.code, ...saidOf(note) })) }
    },
  })

import { operations } from '@millseal/contract'
import { type Binding, bindTo, type Call, type Content } from '../../../http/binding.ts'
import { problemOfReading } from '../checking/read-document.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { notarize, type NotarizeDependencies } from '../notarizations/notarize.ts'
import { verifyRead } from '../verifications/verify.ts'
import { answerBatch } from './answer-batch.ts'
import { readBatch } from './read-batch.ts'

export const batchRoutes = (
  deps: CertificateDependencies,
  inTurns: NotarizeDependencies,
): readonly Binding[] => [
  bindTo(inTurns)(operations.notarizeCertificates, notarizeBatch),
  bindTo(deps)(operations.verifyCertificates, verifyBatch),
]

type BatchCall = Call<typeof operations.notarizeCertificates | typeof operations.verifyCertificates>

const batchOf = (deps: CertificateDependencies, { body, calledAs, log, signal, requestId }: BatchCall) => ({
  items: readBatch(deps, body),
  calledAs,
  clock: deps.clock,
  signal: signal(),
  onFault: (err: unknown) => log.error({ err, requestId }, 'unexpected error'),
})

const notarizeBatch = async (
  deps: NotarizeDependencies,
  call: Call<typeof operations.notarizeCertificates>,
): Promise<Content> => {
  const batch = batchOf(deps, call)
  return answerBatch({
    ...batch,
    status: 201,
    work: (bytes) =>
      notarize(deps, {
        ...call,
        body: { bytes, type: 'application/json', fields: {} },
        hasKey: false,
        commit: (work) => deps.database.transaction(work),
        signal: () => batch.signal,
      }),
  })
}

const verifyBatch = async (
  deps: CertificateDependencies,
  call: Call<typeof operations.verifyCertificates>,
): Promise<Content> =>
  answerBatch({
    ...batchOf(deps, call),
    status: 200,
    work: async (bytes) => {
      const read = await deps.reader.readKnown(bytes).catch((error: unknown) => {
        throw problemOfReading(error)
      })
      return verifyRead(deps, call.mode, { read, bytes })
    },
  })

import { type operations, type ReadInboxEntry } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { looksLikePdf, plainLine } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { problemOfReading } from '../checking/read-document.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { hash } from '../hashing/hash.ts'
import { requireNamed } from '../requirements/read-requirement.ts'
import { type Answers, answer } from './answers.ts'
import { findListedEntries, findSame, insertEntry, insertFiles } from './inbox.store.ts'
import { keepAnswers } from './keep-answers.ts'
import { scopeOf } from './read-inbox.ts'
import { toReadEntry } from './inbox-response.ts'

type FileCall = Call<typeof operations.fileCertificate>

/** The same bytes are filed once, also if others of the company send them again. */
export const fileCertificate = async (
  deps: CertificateDependencies,
  call: FileCall,
): Promise<ReadInboxEntry> => {
  const { query } = deps.database
  const { companyId, mode, body } = call
  const { against = null } = call.query
  if (against !== null) await requireNamed(query, { companyId, nameOrHash: against })
  const isPdf = looksLikePdf(body.bytes)
  const json = isPdf ? await inside(deps, body.bytes) : body.bytes
  const files = { body: json ?? null, pdf: isPdf ? body.bytes : null }
  const named = call.query.fileName ?? body.filename
  const fileName = named === undefined ? null : plainLine(named, longestName)
  const answers = await answer(deps, { companyId, mode, fileName, isFiled: true, against }, files)
  const fileHash = hash(body.bytes).value
  const id = uuidv7(deps.clock.now())
  const same = async () =>
    findSame(query, {
      ...(await scopeOf(deps, companyId)),
      mode,
      fileHash,
      hash: isPdf ? undefined : answers.hash,
    })
  const known = await same()
  if (known !== undefined) return shown(deps, companyId, known)
  const isNew = await deps.database.transaction(async (tx) => {
    const entry = { id, companyId, mode, fileName, fileHash, pdfHash: isPdf ? fileHash : null, against }
    if (!(await insertEntry(tx, { ...entry, createdAt: new Date(deps.clock.now()) }))) return false
    await insertFiles(tx, id, files)
    await keepAnswers(deps, tx, { id, against, answers })
    await record(deps, tx, { call, id, answers, fileHash })
    return true
  })
  return shown(deps, companyId, isNew ? id : ((await same()) ?? id))
}

const longestName = 200

const inside = async (
  { reader }: CertificateDependencies,
  pdf: Uint8Array,
): Promise<Uint8Array | undefined> => {
  try {
    return await reader.extract(pdf)
  } catch (error) {
    throw problemOfReading(error)
  }
}

const shown = async (
  deps: CertificateDependencies,
  companyId: string,
  id: string,
): Promise<ReadInboxEntry> => {
  const [entry] = await findListedEntries(deps.database.query, await scopeOf(deps, companyId), [id])
  if (entry === undefined) throw new Problem('not_found')
  return toReadEntry(deps, entry)
}

/** The limit comes last: near it, other calls of the company wait for the end of this transaction. */
const record = async (
  deps: CertificateDependencies,
  tx: Transaction,
  {
    call: { principal, client, companyId, mode },
    id,
    answers,
    fileHash,
  }: {
    readonly call: FileCall
    readonly id: string
    readonly answers: Answers
    readonly fileHash: string
  },
): Promise<void> => {
  await deps.audit.write(tx, {
    actor: principalName(principal),
    action: 'inbox.file',
    subject: `inbox:${id}`,
    companyId,
    ipAddress: client.ip,
    details: { mode, fileHash, hash: answers.hash, verdict: answers.verdict },
  })
  const refusals = await deps.users.takeOfDay(tx, {
    counted: 'filed',
    limits: deps.certificatesPerDay,
    now: new Date(deps.clock.now()),
    demands: [{ companyId, wanted: 1 }],
  })
  const refusal = refusals.get(companyId)
  if (refusal === undefined) return
  const { isVerified, most, end } = refusal
  throw new Problem('certificate_limit_reached', {
    reasons: [because(isVerified ? 'certificate_limit' : 'certificate_limit_of_unverified', { most, end })],
  })
}

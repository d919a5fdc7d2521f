import {
  canonicalJson,
  correctionSentence,
  deepestBundle,
  encodeHex,
  extractEmbeddedCertificate,
  type Facts,
  headlineOf,
  JsonError,
  type JsonValue,
  looksLikePdf,
  otherSellerRemark,
  portablePrimitives as primitives,
  readJson,
  readPolicy,
  type Report,
  type Tone,
  verifyBundle,
} from '@millseal/proof'
import { element, factRows, textElement } from './dom.ts'
import { lookUp, showPaper } from './paper.ts'
import { fetchText } from './service.ts'

type Line = { readonly outcome: string; readonly says: string }
type Answer = {
  readonly tone: Tone
  readonly says: string
  readonly why: string
  readonly facts?: Facts | undefined
  readonly lines: readonly Line[]
  readonly note?: string
}
type Hashed = { readonly kind: 'json' | 'pdf'; readonly hash: string }
/** `certificate` is that in the file, or inside the PDF. */
type Read = Hashed & { readonly certificate: JsonValue | undefined }

const file = element('file', HTMLInputElement)
const mode = element('mode', HTMLSelectElement)
/** The code in the address `/v/{code}`, which is on paper since the code is short. */
const code = document.querySelector<HTMLElement>('#paper')?.dataset['code']

/**
 * The hashes that the scanned code names; undefined if none was scanned. In a fragment, codes on older papers have the
 * hash of the JSON itself. It changes if another code is opened in the same tab.
 */
const scannedHashes = async (): Promise<readonly string[] | undefined> => {
  if (code !== undefined) return (await lookUp(code)).map(({ hash }) => hash.value)
  const fragment = location.hash.slice(1).toLowerCase()
  return fragment === '' ? undefined : [fragment]
}

const sha256 = (bytes: Uint8Array): string => encodeHex(primitives.sha256(bytes))

const hashOfJson = (json: JsonValue): string => sha256(new TextEncoder().encode(canonicalJson(json)))

const read = async (bytes: Uint8Array): Promise<Read> => {
  if (looksLikePdf(bytes)) return { kind: 'pdf', hash: sha256(bytes), certificate: await embeddedIn(bytes) }
  const certificate = jsonIn(bytes)
  return { kind: 'json', hash: hashOfJson(certificate), certificate }
}

/** A PDF may embed anything. */
const embeddedIn = async (pdf: Uint8Array): Promise<JsonValue | undefined> => {
  try {
    const bytes = await extractEmbeddedCertificate(pdf)
    return bytes && readJson(bytes, { maxDepth: 64 })
  } catch {
    return undefined
  }
}

const jsonIn = (bytes: Uint8Array): JsonValue => {
  try {
    return readJson(bytes, { maxDepth: 64 })
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw new Error(`The file is neither a PDF nor a certificate in JSON: ${error.message}.`, {
      cause: error,
    })
  }
}

const show = ({ tone, says, why, facts, lines, note = '' }: Answer): void => {
  const result = element('result', HTMLElement)
  result.hidden = false
  result.dataset['verdict'] = tone
  element('verdict', HTMLElement).textContent = says
  element('why', HTMLElement).textContent = why
  element('note', HTMLElement).textContent = note
  element('facts', HTMLElement).replaceChildren(...(facts === undefined ? [] : rowsOf(facts)))
  element('checks', HTMLUListElement).replaceChildren(
    ...lines.map(({ outcome, says: text }) => {
      const line = textElement('li', text)
      line.dataset['outcome'] = outcome
      return line
    }),
  )
}

/** The name that a key gave itself is not shown here: only a name that the policy or a review confirms. */
const rowsOf = ({ issuer, time, asOf, status }: Facts): HTMLElement[] => {
  const { answer, name = '', vatId } = issuer
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Issuer', answer === 'yes' ? name : 'not known'],
    ['VAT id', answer === 'yes' ? vatId : undefined],
    ['Recorded', time ?? 'the log confirms no time'],
    ['Status as of', asOf ?? 'not known'],
    ...status.corrections.map((correction) => ['Correction', correctionSentence(correction)] as const),
  ]
  return factRows(rows)
}

const answerOf = (tone: Tone, says: string, why: string): Answer => ({ tone, says, why, lines: [] })

const fetchBundle = (hash: string, wanted: string): Promise<string | undefined> =>
  fetchText(`/api/certificates/proof/${hash}?mode=${wanted}`)

const trust =
  'This check used the log key from this service. To verify without trusting the service, save the proof bundle and run: millseal verify --bundle --policy'

const verify = async ({ certificate, ...hashed }: Read): Promise<Answer> => {
  const [scanned, bundle, key] = await Promise.all([
    scannedHashes(),
    fetchBundle(hashed.hash, mode.value),
    fetchText(`/ledger/${mode.value}/vkey`),
  ])
  if (bundle === undefined) return answerOf('none', 'NOT FOUND', await whyUnknown(hashed))
  const policy = readPolicy({ logs: key === undefined ? [] : [key.trim()] }, primitives)
  const json = readJson(new TextEncoder().encode(bundle), { maxDepth: deepestBundle })
  const check = (one: Hashed) => verifyBundle({ file: one, bundle: json, policy }, primitives)
  if (scanned?.every((hash) => isAnother(check({ kind: 'json', hash }))))
    return answerOf('bad', 'ANOTHER CERTIFICATE', 'This is not the certificate whose QR code you scanned.')
  const report = check(hashed)
  const { checks, facts, answers } = report
  if (answers.unchanged === 'yes') {
    const isRecorded =
      certificate !== undefined && !isAnother(check({ kind: 'json', hash: hashOfJson(certificate) }))
    const remark = isRecorded ? otherSellerRemark(report, certificate) : undefined
    const headline = headlineOf(report)
    const why = remark === undefined ? headline.why : `${headline.why} ${remark}.`
    return { ...headline, why, facts, lines: checks, note: trust }
  }
  // Who signed another file says nothing about this one.
  const lines = checks.filter(({ name }) => !['issuer', 'time', 'status'].includes(name))
  return { ...headlineOf(report), lines, note: trust }
}

const isAnother = ({ checks }: Report): boolean =>
  checks.some(({ name, outcome }) => name === 'file' && outcome === 'failed')

const whyUnknown = async ({ hash }: Hashed): Promise<string> => {
  const other = mode.value === 'live' ? 'test' : 'live'
  if ((await fetchBundle(hash, other)) === undefined)
    return `Unknown in ${mode.value} mode: the file was changed, or was never notarized here.`
  const meaning = other === 'test' ? ', so it does not describe real material' : ''
  return `Unknown in ${mode.value} mode, but notarized in ${other} mode${meaning}. To check it there, choose ${other} mode above.`
}

let latestRun = 0

/** Shows an answer only if the file and the mode are still the chosen ones. */
const run = async (): Promise<void> => {
  latestRun += 1
  const thisRun = latestRun
  element('result', HTMLElement).hidden = true
  const chosen = file.files?.[0]
  if (chosen === undefined) return
  const answer = await chosen
    .arrayBuffer()
    .then(async (bytes) => verify(await read(new Uint8Array(bytes))))
    .catch((error: unknown) =>
      answerOf('none', 'COULD NOT BE CHECKED', error instanceof Error ? error.message : String(error)),
    )
  if (thisRun === latestRun) show(answer)
}

const wantedMode = new URLSearchParams(location.search).get('mode')
if (wantedMode === 'test' || wantedMode === 'live') mode.value = wantedMode
if (code !== undefined)
  void showPaper(code).then((certificates) => {
    const isOnlyTest = certificates.length > 0 && certificates.every((one) => one.mode === 'test')
    if (isOnlyTest && file.files?.length === 0) mode.value = 'test'
  })
file.addEventListener('change', () => void run())
mode.addEventListener('change', () => void run())
window.addEventListener('hashchange', () => void run())
document.addEventListener('dragover', (event) => event.preventDefault())
document.addEventListener('drop', (event) => {
  event.preventDefault()
  const dropped = event.dataTransfer?.files
  if (dropped === undefined || dropped.length === 0) return
  file.files = dropped
  void run()
})
document.querySelector('form')?.addEventListener('submit', (event) => event.preventDefault())
